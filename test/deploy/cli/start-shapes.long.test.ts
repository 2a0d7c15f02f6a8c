import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** Environments in which `trapline start` cannot work. Each is reported in one sentence that says what to do. */

const MAIN = new URL('../../../deploy/cli/main.ts', import.meta.url).pathname;
const home = await mkdtemp(path.join(tmpdir(), 'trapline-shapes-'));
afterAll(() => rm(home, { recursive: true, force: true }));

/** Runs `trapline start` under a launcher such as `unshare`. Resolves to the exit code and the output. */
function start(dataDir: string, ...launcher: string[]): Promise<{ code: number | null; output: string }> {
  const [command = '', ...args] = [...launcher, process.execPath, MAIN, 'start'];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: '0', LOG_LEVEL: 'silent', TRAPLINE_DATA_DIR: dataDir };
  return new Promise((resolve) => {
    const child = execFile(command, args, { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, output: stdout + stderr });
    });
  });
}

const ROOT_OF_NAMESPACE = ['unshare', '--user', '--map-root-user'];

test('a data directory on a file system that is read-only, and one that cannot be written to', async () => {
  const mount = 'mount -t tmpfs -o ro none "$0" && exec "$@"';
  const readOnly = path.join(home, 'read-only');
  await mkdir(readOnly);
  const under = [...ROOT_OF_NAMESPACE, '--mount', 'sh', '-c', mount, readOnly];
  const advice = 'set TRAPLINE_DATA_DIR to a folder that this user may write to\n';
  for (const folder of ['.trapline', 'a/b']) {
    const dataDir = path.join(readOnly, folder);
    const output = `trapline: the data directory ${dataDir} cannot be made (EROFS): ${advice}`;
    expect(await start(dataDir, ...under)).toEqual({ code: 2, output });
  }
  const output = `trapline: the data directory ${readOnly} cannot be written to (EROFS): ${advice}`;
  expect(await start(readOnly, ...under)).toEqual({ code: 2, output });
});

test('a data directory below a file', async () => {
  const file = path.join(home, 'file');
  await writeFile(file, '');
  expect(await start(path.join(file, 'data'), 'env')).toMatchObject({
    code: 2,
    output: expect.stringContaining('set TRAPLINE_DATA_DIR to a folder that this user may write to\n'),
  });
});

test('a network namespace whose loopback interface is down', async () => {
  expect(await start(path.join(home, 'offline'), ...ROOT_OF_NAMESPACE, '--net')).toEqual({
    code: 2,
    output: 'trapline: no network interface with the address 127.0.0.1 is up: bring it up (ip link set lo up)\n',
  });
});

test('root without capabilities', async () => {
  const launcher = [...ROOT_OF_NAMESPACE, 'setpriv', '--bounding-set=-all', '--inh-caps=-all'];
  const { code, output } = await start(path.join(home, 'powerless'), ...launcher);
  expect(code).toBe(1);
  expect(output).toMatch(
    /^trapline: PostgreSQL does not run as root, .*: start Trapline as an ordinary user, or set DATABASE_URL to a server\n$/,
  );
});

test('a data directory of another PostgreSQL', async () => {
  const dataDir = path.join(home, 'older');
  const cluster = path.join(dataDir, 'postgres/cluster');
  await mkdir(cluster, { recursive: true });
  await writeFile(path.join(cluster, 'PG_VERSION'), '9.6\n');
  const { code, output } = await start(dataDir, 'env');
  expect(code).toBe(1);
  expect(output).toMatch(
    /^trapline: .*\/postgres was made by PostgreSQL 9, and no other version can open it .*TRAPLINE_POSTGRES_BIN.*\n$/,
  );
});
