import type { Database } from '#api/postgres/database.ts';
import { openTimers, openWaits } from '../../store/attention.ts';
import { findNotAllowed, findOfClosedAccounts } from '../../store/may-start.ts';
import { type PendingSignal, pendingSignals } from '../../store/signals.ts';
import type { ExecutionLease } from './leased-executions.ts';

/** Open parts of continued executions, read once for all executions of a claim. */
export interface Prepared {
  readonly timers: Awaited<ReturnType<typeof openTimers>>;
  readonly waits: Awaited<ReturnType<typeof openWaits>>;
  readonly signals: readonly PendingSignal[];
  /** New executions whose owner may no longer run their workflow or agent, and continued ones of closed accounts. */
  readonly notAllowed: ReadonlySet<string>;
}

/** Reads the open parts of continued executions, and finds new executions that their owner may no longer run. */
export async function readOpenParts(database: Database, leases: readonly ExecutionLease[]): Promise<Prepared> {
  const ids = leases.filter(({ row }) => isResumed(row)).map(({ id }) => id);
  const begun = leases.filter(({ row }) => !isResumed(row) && row.ownerId !== null).map(({ id }) => id);
  const [timers, waits, signals, notAllowed, closed] = await Promise.all([
    ids.length === 0 ? [] : openTimers(database, ids),
    ids.length === 0 ? [] : openWaits(database, ids),
    ids.length === 0 ? [] : pendingSignals(database, ids),
    begun.length === 0 ? new Set<string>() : findNotAllowed(database, begun),
    ids.length === 0 ? new Set<string>() : findOfClosedAccounts(database, ids),
  ]);
  return { timers, waits, signals, notAllowed: notAllowed.union(closed) };
}

/** Selects the open parts of one execution. */
export function openPartsOf({ id }: ExecutionLease, { timers, waits, signals }: Prepared) {
  const isOwn = ({ executionId }: { readonly executionId: string }) => executionId === id;
  return {
    timers: timers.filter(isOwn),
    waits: waits.filter(isOwn).map(({ wait }) => wait),
    signals: signals.filter(isOwn),
  };
}

/** True for an execution that has already begun. */
export function isResumed({ state, stateFile }: ExecutionLease['row']): boolean {
  return state !== null || stateFile !== null;
}
