import type { Transaction } from 'kysely';
import type { Database, Db, Tables } from './database.ts';

/** Runs when the transaction is through, in the order of asking; never when it failed. It must not throw: nothing can be undone any more. */
export type AfterCommit = (listener: () => void) => void;

interface Hooks {
  readonly beforeCommit: (() => Promise<void>)[];
  readonly afterCommit: (() => void)[];
}

/** Transactions have no events of their own, so each one opened here has its lists stored with it. */
const hooksByTransaction = new WeakMap<object, Hooks>();

/**
 * Does `work` in one transaction and resolves to what it resolves to; when it rejects, nothing was done. What is recorded in the audit log
 * or queued as a job within needs a transaction that was opened here. Every query in `work` has to be awaited before it resolves.
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

/** As the last thing before the commit; for locks that everybody wants and that are therefore held as briefly as can be. */
export function beforeCommit(transaction: Db, last: () => Promise<void>): void {
  hooksOf(transaction).beforeCommit.push(last);
}

/** See `AfterCommit`, for those who were handed the transaction alone. Throws for anything but a transaction of `inTransaction`. */
export function afterCommit(transaction: Db, listener: () => void): void {
  hooksOf(transaction).afterCommit.push(listener);
}

function hooksOf(transaction: Db): Hooks {
  const hooks = hooksByTransaction.get(transaction);
  if (hooks === undefined) throw new Error('this needs a transaction that was opened by inTransaction');
  return hooks;
}
