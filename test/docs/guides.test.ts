import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricsPage } from '#docs/generators/metrics.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';
import { removeHome, startTrapline, type TraplineProcess } from '#test/support/trapline-process.ts';
import { guideBlocks, isShown } from './guide-blocks.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Order matters: later pages use objects that earlier pages create, and the last page removes the replayed attack. */
const PAGES = [
  'docs/getting-started.md',
  ...(await pagesOf('guides')),
  'docs/platform.md',
  'docs/operations/cluster.md',
  'docs/operations/clickhouse-cluster.md',
  'docs/operations/containers.md',
  'docs/operations/kubernetes.md',
  'docs/operations/detector.md',
  'docs/operations/backup.md',
  ...(await pagesOf('contributing')),
  ...(await pagesOf('security')),
  'README.md',
];
/** The address that the pages use: `npm start` listens there by default. */
const DEFAULT_ADDRESS = /(?:http:\/\/127\.0\.0\.1|localhost):8080/g;

let folder: string;
let server: TraplineProcess;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trapline-guides-'));
  // HTTPS, whose metric is in the reference.
  await makeCertificates(folder);
  server = await startTrapline(['start'], {
    LOG_LEVEL: 'warn',
    TRAPLINE_TLS_CERT_FILE: path.join(folder, 'server.crt'),
    TRAPLINE_TLS_KEY_FILE: path.join(folder, 'server.key'),
    TRAPLINE_TLS_HOST: '127.0.0.1',
    TRAPLINE_TLS_PORT: '0',
  });
  await server.logged('Ctrl-C');
  const { url } = JSON.parse(await readFile(path.join(server.dataDir, 'server.json'), 'utf8')) as { url: string };
  environment = {
    PATH: `${ROOT}bin:${process.env.PATH}`,
    HOME: folder,
    TRAPLINE_DATA_DIR: server.dataDir,
    TRAPLINE_URL: url,
    TRAPLINE_API_KEY: (await readFile(path.join(server.dataDir, 'operator.key'), 'utf8')).trim(),
  };
  // The commands of the pages assume the checkout as the working directory.
  await symlink(server.dataDir, path.join(folder, '.trapline'));
  await symlink(`${ROOT}examples`, path.join(folder, 'examples'));
});
afterAll(async () => {
  await server?.endAll();
  await removeHome(folder);
});

describe.each(PAGES)('%s', (page) => {
  test('each block runs against a real server and prints what the page shows', async () => {
    const { steps, notRun, unchecked } = guideBlocks(await readFile(`${ROOT}${page}`, 'utf8'));
    expect(unchecked, 'a block that is neither run, nor written to a file, nor the output of the block before').toEqual(
      [],
    );
    for (const block of notRun) expect(block, 'a block that is not run states its reason').toMatch(/: .{10,}/);
    for (const { line, code, file, expected } of steps) {
      if (file !== undefined) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
        await writeFile(path.join(folder, file), code);
        continue;
      }
      const output = await run(code, line);
      for (const text of expected)
        expect(isShown(output, text), `line ${line}: ${text}\n${output.slice(0, 2000)}`).toBe(true);
    }
  });
});

/** Returns the pages of a folder of `docs/`, sorted by name. */
async function pagesOf(folderOfDocs: string): Promise<string[]> {
  const names = await readdir(`${ROOT}docs/${folderOfDocs}`);
  return names
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${folderOfDocs}/${name}`);
}

/**
 * Runs a block in bash, with the command of this checkout and the address of the server. Resolves to its standard
 * output.
 */
async function run(code: string, line: number): Promise<string> {
  const adapted = code
    .replaceAll('npx trapline', 'trapline')
    .replaceAll(DEFAULT_ADDRESS, environment.TRAPLINE_URL ?? '');
  const options = { cwd: folder, env: environment };
  return promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', adapted], options).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`the block at line ${line} failed:\n${code}\n${error.stdout}${error.stderr}`);
    },
  );
}

test('docs/reference/metrics.md is current', async () => {
  const response = await fetch(`${environment.TRAPLINE_URL}/metrics`, {
    headers: { 'x-api-key': environment.TRAPLINE_API_KEY ?? '' },
  });
  expect(response.status).toBe(200);
  await expect(metricsPage(await response.text())).toMatchFileSnapshot('../../docs/reference/metrics.md');
});
