import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EngineStartError } from './engine.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Bits of CapEff that are needed to change the account, and to signal and clean up after a process of another account.
 */
const CAPABILITIES = { chown: 0n, dacOverride: 1n, kill: 5n, setgid: 6n, setuid: 7n };
const NEEDED_CAPABILITIES = Object.values(CAPABILITIES).reduce((set, bit) => set | (1n << bit), 0n);

/**
 * Returns the account of an engine if this process runs as root. Returns undefined to use the account of this process.
 */
export function engineAccount(account: Account): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const capabilities = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]}`);
  const permitted = (capabilities & NEEDED_CAPABILITIES) === NEEDED_CAPABILITIES;
  return permitted && isMapped(account.uid, 'uid') && isMapped(account.gid, 'gid') ? account : undefined;
}

/** Returns true if the id exists. In a user namespace, such as that of a rootless container, only mapped ids exist. */
function isMapped(id: number, kind: 'uid' | 'gid'): boolean {
  const ranges = readFileSync(`/proc/self/${kind}_map`, 'utf8').trim().split('\n');
  return ranges.some((range) => {
    const [first = 0, , count = 0] = range.trim().split(/\s+/).map(Number);
    return id >= first && id < first + count;
  });
}

/**
 * Makes the account, or this process's own, the owner of a directory and everything below, unless it is already. Root
 * changes only files that belong to root, because files of other accounts may be links to files elsewhere.
 */
export async function ensureOwner(directory: string, account: Account | undefined): Promise<void> {
  const own = process.getuid?.() ?? 0;
  const wanted = account?.uid ?? own;
  const link = await lstat(directory); // An operator may have placed a symbolic link here.
  const { uid } = await stat(directory);
  if (uid === wanted && [wanted, own, 0].includes(link.uid)) return;
  const owner = link.uid === 0 ? uid : link.uid;
  if (own !== 0 || owner !== 0)
    throw new EngineStartError(
      'failed',
      `${directory} belongs to user ${owner}, and this process runs as user ${own}: run it as user ${owner}, or run \`chown -R ${own} ${directory}\` as root`,
    );
  try {
    // Changes the directory itself last, so that an interrupted run is repeated. Does not follow symbolic links below
    // it.
    await promisify(execFile)('chown', ['-RhP', `${wanted}:${account?.gid ?? 0}`, await realpath(directory)]);
  } catch (error) {
    throw new EngineStartError(
      'failed',
      `${directory} cannot be given to user ${wanted}, which the engine runs as: ${String((error as { stderr?: unknown }).stderr).slice(0, 200)}`,
    );
  }
}
