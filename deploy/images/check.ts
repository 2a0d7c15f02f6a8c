import { docker, filesOf, HARDENED } from './docker.ts';
import { forbiddenFiles, type ImageTarget } from './targets.ts';

/** Packages with native code, which needs shared libraries. */
const NATIVE = ['bcrypt', 'lz4-napi'];

/** Checks the content of an image. Resolves to its problems, one line each. */
export async function checkContent(image: string, target: ImageTarget, report: (line: string) => void) {
  const [size = '', user = ''] = (await docker('image', 'inspect', '--format={{.Size}} {{.Config.User}}', image)).split(
    ' ',
  );
  report(`${image}: ${(Number(size) / 1e6).toFixed(1)} MB, at most ${target.maxSize / 1e6} MB`);
  const problems = forbiddenFiles(target, await filesOf(image));
  if (Number(size) > target.maxSize) problems.push(`${image} has ${size} bytes, more than ${target.maxSize}`);
  if (user !== target.account) problems.push(`${image} runs as ${user}, expected ${target.account}`);
  return problems;
}

/** Runs commands of the image `platform` without privileges on a read-only root file system. */
export async function checkPlatform(image: string, report: (line: string) => void): Promise<string[]> {
  const run = (...args: string[]) => docker('run', '--rm', ...HARDENED, image, ...args);
  report(`${image}: version ${await run('--version')}`);
  const problems: string[] = [];
  for (const command of ['api', 'ingest', 'worker', 'migrate'])
    if (!(await run(command, '--help')).includes(`trapline ${command}`))
      problems.push(`${command} --help prints no usage`);
  await docker(
    ...['run', '--rm', ...HARDENED, '--workdir=/opt/trapline', '--entrypoint=/usr/local/bin/node', image, '--eval'],
    NATIVE.map((name) => `require('${name}')`).join(),
  );
  const state = await docker(
    ...['run', '--rm', ...HARDENED, '--entrypoint=/usr/local/bin/node', image, '-e'],
    "const s = fs.readFileSync('/proc/self/status', 'utf8'); console.log(process.getuid(), /CapEff:\\s*(\\w+)/.exec(s)[1], /NoNewPrivs:\\s*(\\d)/.exec(s)[1])",
  );
  report(`${image}: user, capabilities and no_new_privs of the process: ${state}`);
  if (state !== '65532 0000000000000000 1') problems.push(`${image} runs with privileges: ${state}`);
  return problems;
}
