import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EngineStartError } from './engine.ts';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Bits of CapEff to change the account, and to signal and to clean up after a process of another account. */
const CAPABILITIES = { chown: 0n, dacOverride: 1n, kill: 5n, setgid: 6n, setuid: 7n };
const NEEDED_CAPABILITIES = Object.values(CAPABILITIES).reduce((set, bit) => set | (1n << bit), 0n);

/** The account of an engine when this process runs as root; undefined: the account of this process. */
export function engineAccount(account: Account): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const capabilities = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]}`);
  const permitted = (capabilities & NEEDED_CAPABILITIES) === NEEDED_CAPABILITIES;
  return permitted && isMapped(account.uid, 'uid') && isMapped(account.gid, 'gid') ? account : undefined;
}

/** In a user namespace, such as that of a rootless container, only mapped ids exist. */
function isMapped(id: number, kind: 'uid' | 'gid'): boolean {
  const ranges = readFileSync(`/proc/self/${kind}_map`, 'utf8').trim().split('\n');
  return ranges.some((range) => {
    const [first = 0, , count = 0] = range.trim().split(/\s+/).map(Number);
    return id >= first && id < first + count;
  });
}

/** Makes the account, or this process's own, the owner of a directory and everything below, unless it is already. */
export async function ensureOwner(directory: string, account: Account | undefined): Promise<void> {
  const own = process.getuid?.() ?? 0;
  const { uid } = await stat(directory);
  if (uid === (account?.uid ?? own)) return;
  if (own !== 0)
    throw new EngineStartError(
      'failed',
      `${directory} belongs to user ${uid}, and this process runs as user ${own}: run it as root, or run \`chown -R ${own} ${directory}\` as root`,
    );
  const owner = account ?? { uid: 0, gid: 0 };
  try {
    // It changes the directory itself last, so that an interrupted run is repeated, and follows no symbolic links.
    await promisify(execFile)('chown', ['-RhP', `${owner.uid}:${owner.gid}`, directory]);
  } catch (error) {
    throw new EngineStartError(
      'failed',
      `${directory} cannot be given to user ${owner.uid}, which the engine runs as: ${String((error as { stderr?: unknown }).stderr).slice(0, 200)}`,
    );
  }
}
