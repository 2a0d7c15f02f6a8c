import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledFolder } from '#deploy/engines/postgres-programs.ts';
import { ask, programSources, startEngine, startUnder, temporaryHome } from './start-engine.ts';

/** Environments in which an engine has to start, or to report in one sentence why it cannot. */

const home = await temporaryHome();
const [system, bundled] = await programSources();
const SERVES = { code: 0, output: 'serves' };
/** Runs a command under a user id without a name. Files of the test account keep their owner. */
const UNNAMED = ['unshare', '--user', '--map-user=41234', '--map-group=41234'];

async function copyOfPrograms(): Promise<string> {
  const folder = await mkdtemp(join(home, 'installed-'));
  await cp(dirname(bundledFolder() ?? ''), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return folder;
}

test('programs and data below a directory of mode 0700, and programs and data in a path that shells would expand', async () => {
  const closed = await copyOfPrograms();
  await chmod(closed, 0o700);
  const options = { dataDir: join(closed, 'data'), programs: join(closed, 'native/bin') };
  const first = await startEngine(options);
  await ask(first.url, 'CREATE TABLE kept AS SELECT 7::int AS n');
  await first.stop();

  const odd = join(home, 'a "b" $HOME `id` \\ c');
  await rename(closed, odd);
  const moved = { dataDir: join(odd, 'data'), programs: join(odd, 'native/bin') };
  const second = await startEngine(moved);
  expect(await ask(second.url, 'SELECT n FROM kept')).toBe(7);
  await startEngine({ ...moved, dataDir: join(odd, '$(new) "data"') });
});

test('a user id without a name, with either source of programs', async () => {
  for (const [index, source] of [system, bundled].entries()) {
    const options = { dataDir: join(home, `unnamed-${index}`), programs: source?.folder };
    expect(await startUnder(UNNAMED, options)).toEqual(SERVES);
    expect(await startUnder(UNNAMED, options)).toEqual(SERVES);
  }
});

test('a user id without a name if the kernel permits no further user namespace', async () => {
  const hide =
    'mount --bind /bin/false "$(command -v unshare)" && exec setpriv --ambient-caps=-all --inh-caps=-all "$@"';
  const launcher = [...UNNAMED, '--mount', '--keep-caps', 'sh', '-c', hide, 'sh'];
  expect((await startUnder(launcher, { dataDir: join(home, 'unnamed') })).output).toBe(
    "EngineStartError: user id 41234 has no name, which PostgreSQL's initdb needs, and this system permits no user namespaces: " +
      'add a line for it to /etc/passwd, or set DATABASE_URL to a server',
  );
});

test('root without capabilities', async () => {
  const launcher = ['unshare', '--user', '--map-root-user', 'setpriv', '--bounding-set=-all', '--inh-caps=-all'];
  expect((await startUnder(launcher, { dataDir: join(home, 'powerless') })).output).toMatch(
    /^EngineStartError: PostgreSQL does not run as root, and this root may not run it as another account \(missing capabilities: CAP_CHOWN, .*CAP_SETUID\): start Trapline as an ordinary user, or set DATABASE_URL to a server$/,
  );
});

test('root of a user namespace without other accounts', async () => {
  const launcher = ['unshare', '--user', '--map-root-user'];
  expect((await startUnder(launcher, { dataDir: join(home, 'alone') })).output).toMatch(
    /^EngineStartError: this user namespace has no unused account for the embedded PostgreSQL/,
  );
});

test('a network namespace without a loopback interface', async () => {
  expect(await startUnder([...UNNAMED, '--net'], { dataDir: join(home, 'offline') })).toEqual(SERVES);
});

test('programs of another major version than the data directory', async () => {
  const dataDir = join(home, 'major');
  const made = await startEngine({ dataDir, programs: bundled?.folder });
  await made.stop();
  await expect(startEngine({ dataDir, programs: system?.folder })).rejects.toThrow(
    `${dataDir} was made by PostgreSQL ${made.programs.major}, and no other version can open it (found: ${system?.folder}: PostgreSQL`,
  );
  // Without explicit programs, the engine chooses those of the matching major version.
  const chosen = await startEngine({ dataDir });
  expect(chosen.programs.major).toBe(made.programs.major);
  await chosen.stop();
  await writeFile(join(dataDir, 'cluster/PG_VERSION'), '9.6\n');
  await expect(startEngine({ dataDir })).rejects.toThrow(/apt-get install postgresql-9\).*TRAPLINE_DATA_DIR/);
});

test('a new cluster uses the programs of the distribution, and the npm package has the libraries named in the warning', async () => {
  const warnings: object[] = [];
  const logger = { info: () => {}, error: () => {}, warn: (fields: object) => void warnings.push(fields) };
  const engine = await startEngine({ dataDir: join(home, 'chosen'), logger });
  expect(engine.programs).toMatchObject({ source: 'system', folder: system?.folder });
  expect(warnings).toEqual([]);
  const libraries = await readdir(join(dirname(bundled?.folder ?? ''), 'lib'));
  expect(libraries).toEqual(expect.arrayContaining(['libcrypto.so.1.1', 'libicuuc.so.60']));
  const old = join(home, 'old');
  await (await startEngine({ dataDir: old, programs: bundled?.folder })).stop();
  await startEngine({ dataDir: old, logger });
  expect(warnings).toMatchObject([{ libraries: 'OpenSSL 1.1.1 and ICU 60' }]);
});

test('a configured folder without programs', async () => {
  const empty = join(home, 'empty');
  await mkdir(empty);
  await expect(startEngine({ dataDir: join(home, 'programless'), programs: empty })).rejects.toThrow(
    `no usable PostgreSQL 15 or later for the embedded engine (${empty}: initdb and postgres are not in it): install one`,
  );
  expect(await readFile(join(home, 'programless/runtime-directories'), 'utf8').catch(() => '')).toBe('');
});
