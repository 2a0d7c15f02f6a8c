import type { Transaction } from 'kysely';
import type { Database, Db, Tables } from './database.ts';

/**
 * Registers a callback that runs after the commit, in order of registration, and never after a rollback. It must not
 * throw, because the commit cannot be undone.
 */
export type AfterCommit = (listener: () => void) => void;

interface Hooks {
  readonly beforeCommit: (() => Promise<void>)[];
  readonly afterCommit: (() => void)[];
}

/** Kysely transactions have no events, so the hooks of each one are stored here. */
const hooksByTransaction = new WeakMap<object, Hooks>();

/**
 * Runs `work` in one transaction and resolves to its result. If it rejects, everything is rolled back. Audit entries
 * and queued jobs need a transaction that was opened here. `work` must await all of its queries.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction<Tables>, afterCommit: AfterCommit) => Promise<T>,
): Promise<T> {
  const hooks: Hooks = { beforeCommit: [], afterCommit: [] };
  const result = await database.transaction().execute(async (transaction) => {
    hooksByTransaction.set(transaction, hooks);
    const done = await work(transaction, (listener) => void hooks.afterCommit.push(listener));
    for (const last of hooks.beforeCommit) await last();
    return done;
  });
  for (const listener of hooks.afterCommit) listener();
  return result;
}

/**
 * Registers a callback as the last step before the commit. Use it for contended locks, which should be held as briefly
 * as possible.
 */
export function beforeCommit(transaction: Db, last: () => Promise<void>): void {
  hooksOf(transaction).beforeCommit.push(last);
}

/**
 * Registers an `AfterCommit` callback, for code that has only the transaction. Throws for anything but a transaction of
 * `inTransaction`.
 */
export function afterCommit(transaction: Db, listener: () => void): void {
  hooksOf(transaction).afterCommit.push(listener);
}

function hooksOf(transaction: Db): Hooks {
  const hooks = hooksByTransaction.get(transaction);
  if (hooks === undefined) throw new Error('this needs a transaction that was opened by inTransaction');
  return hooks;
}
