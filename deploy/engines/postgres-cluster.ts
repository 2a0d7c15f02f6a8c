import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, mkdtemp, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineStartError } from './engine.ts';
import { directoryInUse } from './postgres-errors.ts';
import type { MadeBy } from './postgres-programs.ts';
import { type Administrator, DATABASE, prepareRoles, ROLE, runOnCluster } from './postgres-roles.ts';
import { readText, replaceFile } from './replace-file.ts';
import {
  type Account,
  handlePath,
  isRoot,
  type NamedAccount,
  namedAccount,
  nameOf,
  requireCapabilities,
  unusedAccount,
} from './run-unprivileged.ts';

/*
 * The data directory of the embedded PostgreSQL:
 *   cluster/     belongs to the engine's account, mode 0700; the owner of this folder records which account that is
 *   password     of our role, mode 0600; the superuser has none
 *   pg_hba.conf  written at every start; the engine's account can read it but not change it
 *   layout       written when everything above is as described; without it, the next start prepares the cluster
 * Before layout 2, the superuser had the password of the role, and a cluster created by root belonged to `nobody`.
 */
const LAYOUT = '2';

interface ClusterOptions {
  readonly dataDir: string;
  /** Folder with initdb and postgres. */
  readonly executables: string;
  readonly account: Account | undefined;
  readonly administrator: Administrator | undefined;
}

export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'cluster');
}

/** Returns the PostgreSQL major version that created the cluster; undefined before the first start. */
export async function clusterMajor(dataDir: string): Promise<MadeBy | undefined> {
  const text = await readText(join(clusterFolder(dataDir), 'PG_VERSION'));
  return text === undefined ? undefined : { major: Number.parseInt(text, 10), dataDir };
}

/**
 * Returns the account that owns the cluster, or an unused one. Returns undefined if this process does not run as root.
 */
export async function clusterAccount(dataDir: string): Promise<Account | undefined> {
  if (!isRoot()) return undefined;
  await requireCapabilities();
  const owner = await stat(clusterFolder(dataDir)).catch(() => undefined);
  // If the user id has a name, other programs use this account: `nobody`, or a user of the machine on which the files
  // were restored.
  const own = owner !== undefined && owner.uid !== 0 && (await nameOf(owner.uid)) === undefined;
  return own ? { uid: owner.uid, gid: owner.uid } : unusedAccount();
}

/**
 * Creates the cluster, or upgrades one of an earlier layout. Resolves to the password of our role. Rejects with
 * `EngineStartError`, reason `directory_locked` while another server is running on it.
 */
export async function prepareCluster(options: ClusterOptions): Promise<string> {
  const { dataDir, account } = options;
  const cluster = clusterFolder(dataDir);
  const password = await readText(join(dataDir, 'password'));
  const layout = await readText(join(dataDir, 'layout'));
  if (Number(layout ?? LAYOUT) > Number(LAYOUT)) {
    throw new EngineStartError(
      'failed',
      `${dataDir} has layout ${layout} of a newer Trapline, and this one knows layout ${LAYOUT}: start the newer version`,
    );
  }
  if (!(await exists(cluster))) await makeCluster(options);
  else if (await isServed(cluster)) throw directoryInUse();
  else if (layout === LAYOUT && password !== undefined) {
    await give(cluster, account);
    return password;
  }
  return prepare(options);
}

/** Creates the cluster atomically by a rename, so that a killed start leaves no partial cluster. */
async function makeCluster({ dataDir, executables, account }: ClusterOptions): Promise<void> {
  const fresh = await mkdtemp(join(dataDir, 'new-'));
  try {
    const named = await nameFor(account);
    await give(fresh, named.account);
    const args = ['-D', handlePath(0), '--username=postgres', '--auth=reject', '--encoding=UTF8', '--locale=C'];
    const { code, output } = await runOnCluster(fresh, join(executables, 'initdb'), args, { named });
    if (code !== 0) throw new EngineStartError('failed', `PostgreSQL's initdb ended with ${code}: ${output}`);
    await give(fresh, account);
    await rename(fresh, clusterFolder(dataDir));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Sets a new password for our role, because in an earlier layout the account `nobody` could read the old one. */
async function prepare({ dataDir, executables, account, administrator }: ClusterOptions): Promise<string> {
  const cluster = clusterFolder(dataDir);
  const password = randomBytes(24).toString('hex');
  await rm(join(dataDir, 'layout'), { force: true });
  await replaceFile(join(dataDir, 'password'), `${password}\n`);
  const named = await nameFor(account);
  await give(cluster, named.account);
  await prepareRoles({ cluster, program: join(executables, 'postgres'), named, password, administrator });
  await give(cluster, account);
  await replaceFile(join(dataDir, 'layout'), `${LAYOUT}\n`);
  return password;
}

/**
 * Writes pg_hba.conf, which allows only the listed connections, all by password over the socket. Resolves to its path.
 */
export async function writeAccessRules(dataDir: string, administrator: Administrator | undefined): Promise<string> {
  const file = join(dataDir, 'pg_hba.conf');
  // Tests create their own databases and roles.
  const who = administrator === undefined ? `${DATABASE} ${ROLE}` : 'all all';
  await replaceFile(file, `# Written by Trapline at every start.\nlocal ${who} scram-sha-256\n`, 0o644);
  return file;
}

async function nameFor(account: Account | undefined): Promise<NamedAccount> {
  const named = await namedAccount(account);
  if (named !== undefined) return named;
  throw new EngineStartError(
    'failed',
    `user id ${process.getuid?.()} has no name, which PostgreSQL's initdb needs, and this system permits no user namespaces: ` +
      'add a line for it to /etc/passwd, or set DATABASE_URL to a server',
  );
}

/**
 * Makes the account the owner of everything below the folder. Uses chown(1), which other accounts cannot redirect with
 * symbolic links.
 */
async function give(folder: string, account: Account | undefined): Promise<void> {
  if (account === undefined || (await stat(folder)).uid === account.uid) return;
  const args = ['--recursive', '--no-dereference', '-P', `${account.uid}:${account.gid}`, '--', folder];
  await promisify(execFile)('chown', args).catch((error: Error) => {
    throw new EngineStartError('failed', `${folder} cannot be given to user id ${account.uid}: ${error.message}`);
  });
}

/**
 * Returns true if a server is still running on the cluster. Its recorded process id may belong to another program now.
 */
async function isServed(cluster: string): Promise<boolean> {
  const pid = Number.parseInt((await readText(join(cluster, 'postmaster.pid'))) ?? '', 10);
  if (!(pid > 0)) return false;
  // The working directory of PostgreSQL is its data directory. That of another user's program cannot be read, but such
  // a program cannot be our server.
  return (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === (await realpath(cluster));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
