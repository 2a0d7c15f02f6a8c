import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { docker } from '#deploy/images/docker.ts';
import { verifyImage } from '#deploy/images/release/cosign.ts';
import { releaseImages } from '#deploy/images/release/release.ts';
import { findProgram } from '#test/support/install-programs.mjs';
import { freePort } from '#test/support/services/free-ports.mjs';
import { supervise } from '#test/support/services/supervised-process.ts';
import { waitFor } from '#test/support/wait-for.ts';

/**
 * `npm run release:check`: releases the built images to a registry on this machine with a new key, and verifies
 * signatures and attested bills of materials. Also checks that another key, an unsigned image and an image without an
 * attestation are refused. Needs `cosign` and `docker-registry` (the Debian package of that name) on the PATH.
 */

const ROOT = path.join(import.meta.dirname, '../..');
const home = await mkdtemp(path.join(tmpdir(), 'trapline-release-'));
const registry = await startRegistry();
const removed: string[] = [];
try {
  const name = `${registry.host}/trapline`;
  const references = await releaseImages({
    root: ROOT,
    imageOf: (target) => `trapline/${target}`,
    registry: name,
    key: await makeKey('release'),
    output: path.join(home, 'output'),
    isPrivate: true,
    report: print,
  });
  removed.push(...references);
  const publicKey = path.join(home, 'output/cosign.pub');
  for (const reference of references) await expectAttested(reference, publicKey);
  await makeKey('other');
  const [first = ''] = references;
  await expectRefused('another key', first, path.join(home, 'other.pub'));
  const unsigned = await pushUnsigned(`${name}/unsigned`);
  removed.push(unsigned);
  await expectRefused('an unsigned image', unsigned, publicKey);
} finally {
  for (const reference of removed) await docker('rmi', reference.replace(/@.*/, ''), reference).catch(() => {});
  await registry.stop();
  await rm(home, { recursive: true, force: true });
}

/** The attestation must contain the written bill of materials of this image. */
async function expectAttested(reference: string, publicKey: string): Promise<void> {
  const name = /\/([\w-]+)@/.exec(reference)?.[1] ?? '';
  const written = JSON.parse(await readFile(path.join(home, `output/${name}.cdx.json`), 'utf8')) as {
    readonly components: readonly { readonly purl: string }[];
  };
  if (!isDeepStrictEqual(await verifyImage({ publicKey, isPrivate: true }, reference), written))
    throw new Error(`another bill of materials is attested for ${reference}`);
  const of = (type: string) => written.components.filter(({ purl }) => purl.startsWith(`pkg:${type}/`)).length;
  print(`${name}: verified, with ${of('npm')} npm packages, ${of('deb')} Debian packages and ${of('generic')} parts`);
}

/** The refusal must be caused by the signature, and not by a failure of cosign to reach the registry. */
async function expectRefused(what: string, reference: string, publicKey: string): Promise<void> {
  const reason = await verifyImage({ publicKey, isPrivate: true }, reference).then(
    () => 'accepted',
    ({ stderr = '' }: { readonly stderr?: string }) => stderr.trim().split('\n').at(-1) ?? '',
  );
  if (!/signature/i.test(reason)) throw new Error(`${what}: ${reason}`);
  print(`${what} is refused: ${reason}`);
}

/** Creates a key pair in files. cosign reads the password from the environment. */
async function makeKey(name: string): Promise<string> {
  process.env.COSIGN_PASSWORD = randomBytes(16).toString('hex');
  await promisify(execFile)('cosign', ['generate-key-pair', `--output-key-prefix=${path.join(home, name)}`]);
  return path.join(home, `${name}.key`);
}

async function pushUnsigned(name: string): Promise<string> {
  await mkdir(path.join(home, 'unsigned'));
  await writeFile(path.join(home, 'unsigned/Dockerfile'), 'FROM trapline/detector\nLABEL unsigned=1\n');
  await docker('build', '--quiet', `--tag=${name}`, path.join(home, 'unsigned'));
  await docker('push', '--quiet', name);
  return docker('image', 'inspect', '--format={{index .RepoDigests 0}}', name);
}

async function startRegistry(): Promise<{ readonly host: string; stop(): Promise<void> }> {
  const command = findProgram('docker-registry');
  if (command === undefined) throw new Error('docker-registry is not installed');
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const config = path.join(home, 'registry.json');
  // JSON is valid YAML.
  await writeFile(
    config,
    JSON.stringify({
      version: 0.1,
      storage: { filesystem: { rootdirectory: path.join(home, 'registry') } },
      http: { addr: host },
    }),
  );
  const server = supervise({ command, args: ['serve', config], logFile: path.join(home, 'registry.log') });
  await waitFor('the registry', async () => (await fetch(`http://${host}/v2/`)).ok);
  return { host, stop: () => server.endAll() };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
