import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { EngineStartError } from './engine.ts';

/** User id and group id of an engine if this process runs as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface UnprivilegedOptions {
  /** If undefined, the program runs as the user of this process. */
  readonly account?: Account | undefined;
  /**
   * Open files and directories that the program accesses as `/proc/self/fd/3`, `/proc/self/fd/4` and so on. Such a link
   * needs no permission for parent directories, so no capability is needed below a directory of mode 0700.
   */
  readonly handles?: readonly FileHandle[];
  /** Command prefix that runs the program with a named user id, see `namedAccount`. */
  readonly launcher?: readonly string[];
}

/** Returns the path of the n-th of its `handles` for a program. */
export function handlePath(index: number): string {
  return `/proc/self/fd/${3 + index}`;
}

/** `nobody` on Debian. It has a name on every machine, but other services also run as it. */
export const SHARED_ACCOUNT: Account = { uid: 65_534, gid: 65_534 };

/** Debian reserves these user ids and assigns none of them (Policy, 9.2.2). */
const FIRST_UID = 30_000;
const LAST_UID = 59_999;
const ATTEMPTS = 50;

/**
 * From linux/capability.h: capabilities that root needs to change the owner of directories, run a program as another
 * account, and kill it.
 */
const NEEDED_CAPABILITIES = { CHOWN: 0, DAC_OVERRIDE: 1, KILL: 5, SETGID: 6, SETUID: 7 } as const;
const SETPCAP = 8;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Returns an account for an engine that root starts. No other service or engine runs as it, so none can signal it or
 * read its memory. Rejects with `EngineStartError` if root lacks the capabilities to run programs as another account.
 */
export async function unusedAccount(): Promise<Account> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const uid = randomInt(FIRST_UID, LAST_UID + 1);
    if (!(await isMapped(uid))) break;
    if ((await nameOf(uid)) === undefined) return { uid, gid: uid };
  }
  throw new EngineStartError(
    'failed',
    `this user namespace has no unused account for the embedded PostgreSQL (user ids ${FIRST_UID} to ${LAST_UID}): ` +
      'start Trapline as an ordinary user, or set DATABASE_URL to a server',
  );
}

/** Rejects with `EngineStartError` unless this process, running as root, can run programs as another account. */
export async function requireCapabilities(): Promise<void> {
  const effective = await effectiveCapabilities();
  const missing = Object.entries(NEEDED_CAPABILITIES).filter(([, bit]) => !hasCapability(effective, bit));
  if (missing.length === 0) return;
  throw new EngineStartError(
    'failed',
    'PostgreSQL does not run as root, and this root may not run it as another account ' +
      `(missing capabilities: ${missing.map(([name]) => `CAP_${name}`).join(', ')}): ` +
      'start Trapline as an ordinary user, or set DATABASE_URL to a server',
  );
}

/** Starts a program without privileges. It has no capabilities, and set-user-id programs give it none. */
export async function spawnUnprivileged(
  command: string,
  args: readonly string[],
  { account, handles = [], launcher = [] }: UnprivilegedOptions,
): Promise<ChildProcess> {
  const drop = await privilegeDrop(account);
  return spawn('setpriv', [...drop, '--', ...launcher, command, ...args], {
    stdio: ['pipe', 'pipe', 'pipe', ...handles.map(({ fd }) => fd)],
    // A separate process group: Ctrl-C in the terminal must reach the program only through us, after the last query.
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
}

export interface Outcome {
  readonly code: number | null;
  /** The last characters of standard output and standard error. */
  readonly output: string;
}

const OUTPUT_KEPT = 8_000;

/**
 * Runs a program to its end, with `input` on its standard input. Never rejects: if a program cannot be started, the
 * code is null.
 */
export async function runUnprivileged(
  command: string,
  args: readonly string[],
  options: UnprivilegedOptions & { readonly input?: string },
): Promise<Outcome> {
  const child = await spawnUnprivileged(command, args, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_KEPT);
    });
  child.stdin?.on('error', () => {}); // The program ended before it read all input.
  child.stdin?.end(options.input ?? '');
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** How to run a program that requires a name for its user id, as initdb does. */
export interface NamedAccount {
  readonly account: Account | undefined;
  readonly launcher: readonly string[];
}

/**
 * Returns how to run a program with a named user id. An account without a name gets one in a user namespace, where its
 * files and rights stay those of the account. If the kernel rejects user namespaces, as in most containers, root
 * temporarily uses `nobody` instead. Returns undefined if neither is possible.
 */
export async function namedAccount(account: Account | undefined): Promise<NamedAccount | undefined> {
  const named = account === undefined ? hasName() : (await nameOf(account.uid)) !== undefined;
  if (named) return { account, launcher: [] };
  const launcher = ['unshare', '--user', `--map-user=${SHARED_ACCOUNT.uid}`, `--map-group=${SHARED_ACCOUNT.gid}`, '--'];
  if ((await runUnprivileged('true', [], { account, launcher })).code === 0) return { account, launcher };
  return account === undefined ? undefined : { account: SHARED_ACCOUNT, launcher: [] };
}

/**
 * Returns arguments for setpriv(1). A change of the real user id clears the permitted and effective capabilities; the
 * rest is cleared here.
 */
async function privilegeDrop(account: Account | undefined): Promise<string[]> {
  const drop = ['--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs'];
  if (account === undefined) return drop;
  if (hasCapability(await effectiveCapabilities(), SETPCAP)) drop.push('--bounding-set=-all');
  return [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', ...drop];
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false; // No entry in /etc/passwd or another name service.
  }
}

/** Returns the name of a user id; undefined if it has none. */
export async function nameOf(uid: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('getent', ['passwd', String(uid)]).catch(() => ({ stdout: '' }));
  return stdout === '' ? undefined : stdout.slice(0, stdout.indexOf(':'));
}

async function effectiveCapabilities(): Promise<bigint> {
  const status = await readFile('/proc/self/status', 'utf8');
  return BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
}

function hasCapability(set: bigint, bit: number): boolean {
  return ((set >> BigInt(bit)) & 1n) === 1n;
}

/**
 * Returns true if a user id exists in the user namespace of this process. Unprivileged containers often have only a
 * few.
 */
async function isMapped(uid: number): Promise<boolean> {
  const lines = (await readFile('/proc/self/uid_map', 'utf8')).trim().split('\n');
  return lines.some((line) => {
    const [inside = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
    return uid >= inside && uid < inside + count;
  });
}
