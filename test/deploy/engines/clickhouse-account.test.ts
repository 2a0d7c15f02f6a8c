import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lchown, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import {
  asAccountWithCheckout,
  type EngineReport,
  type OtherAccount,
  reportOfEngine,
  underCommand,
} from './engine-report.ts';

const isRoot = process.getuid?.() === 0;
/** User id of an account without an entry in /etc/passwd. */
const ORDINARY = 65_532;
const NO_NAMESPACE = 'cannot make a network namespace; the embedded ClickHouse keeps access to the network';
const NO_LANDLOCK = 'this kernel has no Landlock; the embedded ClickHouse can read what its account can read';

/** Returns the warnings that the engine logs when isolation is on and the kernel does not permit all of it. */
function expectedWarnings({ isolated, confined }: EngineReport): string[] {
  return [...(isolated ? [] : [NO_NAMESPACE]), ...(confined ? [] : [NO_LANDLOCK])];
}

const home = await mkdtemp(join(tmpdir(), 'trapline-account-'));
await chmod(home, 0o711);
afterAll(() => rm(home, { recursive: true, force: true }));

/** Creates a data directory for the unprivileged account, and the prefix that runs a command as this account. */
async function ordinary(name: string): Promise<{ dataDir: string; account: OtherAccount }> {
  const dataDir = join(home, name);
  await mkdir(dataDir, { mode: 0o700 });
  if (!isRoot) return { dataDir, account: underCommand([]) };
  await chown(dataDir, ORDINARY, ORDINARY);
  const mountPoint = join(home, `checkout-of-${name}`);
  await mkdir(mountPoint);
  return { dataDir, account: asAccountWithCheckout(ORDINARY, mountPoint) };
}

test('an ordinary account starts it, with its own namespace if the kernel permits', async () => {
  const { dataDir, account } = await ordinary('ordinary');
  const report = await reportOfEngine({ dataDir }, account);
  expect(report).toMatchObject({ user: 'trapline' });
  expect(report.isolated).toBe(report.ownNetwork);
  expect(report.warnings).toEqual(expectedWarnings(report));
  if (report.confined) expect(report.environ).toBe('CANNOT_OPEN_FILE');
  expect(report.status).toMatch(/^CapEff:\t0+$/m);

  const shared = await reportOfEngine({ dataDir, isolation: 'off' }, account);
  expect(shared).toMatchObject({ user: 'trapline', isolated: false, ownNetwork: false, warnings: [] });
});

test('root starts it in a directory that only root can enter, as a separate account', async () => {
  const closed = join(home, 'closed');
  await mkdir(closed, { mode: 0o700 });
  for (const isolation of ['off', 'auto'] as const) {
    const report = await reportOfEngine({ dataDir: join(closed, 'clickhouse'), isolation });
    expect(report).toMatchObject({
      user: 'trapline',
      warnings: isolation === 'auto' ? expectedWarnings(report) : [],
    });
    if (isRoot) expect(report.status).toMatch(/^Uid:\t65521\t65521\t65521\t65521$/m);
  }
});

test('root takes over data of root, and no other data', async () => {
  if (!isRoot) return;
  const dataDir = join(home, 'of-root');
  expect(await reportOfEngine({ dataDir })).toMatchObject({ user: 'trapline' });
  // Earlier versions ran the engine as root and left its data with this owner.
  await promisify(execFile)('chown', ['-R', '0:0', dataDir]);
  expect(await reportOfEngine({ dataDir })).toMatchObject({ user: 'trapline' });

  const foreign = await ordinary('foreign');
  const elsewhere = join(home, 'elsewhere');
  await mkdir(elsewhere);
  await symlink(elsewhere, join(foreign.dataDir, 'data'));
  await lchown(join(foreign.dataDir, 'data'), ORDINARY, ORDINARY);
  const { name, error } = await reportOfEngine({ dataDir: foreign.dataDir });
  expect(name).toBe('EngineStartError');
  expect(error).toMatch(
    /foreign\/data belongs to user 65532, and this process runs as user 0: run it as user 65532, or /,
  );
  expect((await stat(elsewhere)).uid).toBe(0);
});

test('an ordinary account gets an explanation for data of root', async () => {
  if (!isRoot) return;
  const { dataDir, account } = await ordinary('handed-over');
  await mkdir(join(dataDir, 'data'));
  const { name, error } = await reportOfEngine({ dataDir }, account);
  expect(name).toBe('EngineStartError');
  expect(error).toMatch(/handed-over\/data belongs to user 0, and this process runs as user 65532: .*`chown -R 65532 /);
});

test('without permission for namespaces it starts with a warning, and not at all if isolation is required', async () => {
  // A user namespace as in a rootless container: it permits no network namespaces and has no account except root.
  const container = [
    'unshare',
    '--user',
    '--map-root-user',
    'sh',
    '-c',
    'echo 0 >/proc/sys/user/max_net_namespaces && exec "$@"',
    'sh',
  ];
  const dataDir = join(home, 'container');
  const report = await reportOfEngine({ dataDir }, underCommand(container));
  expect(report).toMatchObject({ user: 'trapline', isolated: false, ownNetwork: false });
  expect(report.warnings).toEqual([
    NO_NAMESPACE,
    'cannot change the account; the embedded ClickHouse runs as root without capabilities',
    ...(report.confined ? [] : [NO_LANDLOCK]),
  ]);
  expect(report.status).toMatch(/^CapEff:\t0+$/m);
  const { error } = await reportOfEngine({ dataDir, isolation: 'required' }, underCommand(container));
  expect(error).toMatch(
    /^TRAPLINE_ENGINE_ISOLATION is required, but a network namespace cannot be made \(unshare.*\): permit it, or set it to auto$/,
  );
});

test('starts without a loopback interface', async () => {
  const prefix = ['unshare', ...(isRoot ? [] : ['--user', '--map-current-user']), '--net', '--'];
  const options = { dataDir: join(home, 'no-loopback'), isolation: 'off' } as const;
  expect(await reportOfEngine(options, underCommand(prefix))).toMatchObject({ user: 'trapline' });
});

test('reports a missing util-linux', async () => {
  const env = { PATH: '/nonexistent' };
  expect(
    await reportOfEngine({ dataDir: join(home, 'bare'), isolation: 'required' }, underCommand([]), env),
  ).toMatchObject({
    error: expect.stringContaining('(unshare (util-linux) is not installed)'),
  });
});

test('raises the limit of open files to the hard limit, and reports a limit that is too low', async () => {
  const low = ['prlimit', '--nofile=128:128', '--'];
  const { dataDir, account } = await ordinary('few-files');
  const within = (limit: readonly string[]) => ({ ...account, prefix: [...account.prefix, ...limit] });
  expect(await reportOfEngine({ dataDir }, within(low))).toMatchObject({
    error:
      'the limit of open files is 128, and the embedded ClickHouse needs 1024: raise it with `ulimit -n 1024` or LimitNOFILE=',
  });
  const raised = ['prlimit', '--nofile=128:1024', '--'];
  expect(await reportOfEngine({ dataDir }, within(raised))).toMatchObject({ user: 'trapline' });
});

test('ignores proxy variables for requests with the password', async () => {
  const seen: string[] = [];
  const proxy = createServer((socket) => {
    socket.on('data', (data) => seen.push(data.toString())).on('error', () => {});
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const env = {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: url,
    http_proxy: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    NO_PROXY: '',
    no_proxy: '',
  };
  for (const isolation of ['auto', 'off'] as const)
    expect(await reportOfEngine({ dataDir: join(home, 'proxy'), isolation }, underCommand([]), env)).toMatchObject({
      user: 'trapline',
    });
  proxy.close();
  expect(seen).toEqual([]);
});
