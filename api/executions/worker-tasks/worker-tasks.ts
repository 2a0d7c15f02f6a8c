import type { WakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { grantedUnits } from '#api/sharing/conditions.ts';
import type { JsonValue } from '../json-value.ts';
import { judgeLease, type LeaseAction, type LeaseRefusal, type ReportedFailure, workerError } from './lease.ts';
import { TASKS_WAIT } from './names.ts';
import type { TaskPolls } from './polls.ts';
import { namesOf } from './queue.ts';
import {
  endTask,
  extendTask,
  findTask,
  type LeaseClaim,
  type LeasedTask,
  laneOf,
  leaseTasks,
  noteWorker,
  releaseTask,
  type TaskOutcome,
  type WorkerAccount,
} from './store.ts';

/** Maximum total input of the tasks of one response. */
const MAX_POLL_BYTES = 4 * 1024 * 1024;
/** A worker that polls continuously is recorded once in this time. */
const NOTE_EVERY_MS = 10_000;
const MAX_NOTED = 10_000;

export interface TaskPoll {
  readonly account: WorkerAccount;
  readonly queue: string;
  readonly types: readonly string[] | undefined;
  readonly worker: string;
  readonly max: number;
  readonly leaseMs: number;
}

/** Result of an action on a lease. `unknown`: the account has no such task. */
export type LeaseAnswer<T> =
  | { readonly outcome: 'done'; readonly value: T }
  | { readonly outcome: 'repeated' }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'refused'; readonly refusal: LeaseRefusal };

/** Interface for external workers. */
export interface WorkerTasks {
  /** Leases tasks that are waiting now. */
  lease(poll: TaskPoll): Promise<LeasedTask[]>;
  /**
   * Waits for tasks and leases them. Calls `mayLease` before each lease, because a key can be revoked while its poll
   * waits.
   */
  wait(
    poll: TaskPoll,
    options: { readonly ms: number; readonly signal: AbortSignal; readonly mayLease: () => Promise<boolean> },
  ): Promise<readonly LeasedTask[]>;
  extend(claim: LeaseClaim, leaseMs: number): Promise<LeaseAnswer<Date>>;
  complete(claim: LeaseClaim, output: JsonValue): Promise<LeaseAnswer<undefined>>;
  fail(claim: LeaseClaim, failure: ReportedFailure): Promise<LeaseAnswer<undefined>>;
  /** Requeues the task. It does not count as a lost lease. */
  release(claim: LeaseClaim): Promise<LeaseAnswer<undefined>>;
  close(): Promise<void>;
}

export function createWorkerTasks({
  database,
  wakeUp,
  polls,
}: {
  readonly database: Database;
  readonly wakeUp: WakeUp;
  readonly polls: TaskPolls;
}): WorkerTasks {
  const noted = new Map<string, number>();

  async function note({ account, queue, worker }: TaskPoll): Promise<void> {
    const key = `${laneOf(account)}\n${queue}\n${worker}`;
    const now = performance.now();
    if (now - (noted.get(key) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY_MS) return;
    if (noted.size >= MAX_NOTED) noted.clear();
    noted.set(key, now);
    await noteWorker(database, account, queue, worker);
  }

  async function lease(poll: TaskPoll): Promise<LeasedTask[]> {
    // Ignores the role, because it gives no right to tasks of others: queues of two accounts may have the same name.
    const viewer = { userId: poll.account.userId, administrator: false };
    const granted = viewer.userId === undefined ? [] : await grantedUnits(database, viewer, ['workflow'], 'work');
    return leaseTasks(database, { ...poll, granted, maxBytes: MAX_POLL_BYTES });
  }

  async function release(claim: LeaseClaim): Promise<true | undefined> {
    const queue = await releaseTask(database, claim);
    if (queue === undefined) return undefined;
    wakeUp(`${TASKS_WAIT}${queue}`);
    return true;
  }

  async function end(claim: LeaseClaim, outcome: TaskOutcome): Promise<true | undefined> {
    const signalled = await endTask(database, claim, outcome);
    if (signalled === undefined) return undefined;
    wakeUp(...namesOf(signalled));
    return true;
  }

  return {
    async lease(poll) {
      await note(poll);
      return lease(poll);
    },
    wait: (poll, { ms, signal, mayLease }) =>
      polls.wait<LeasedTask>({
        group: [laneOf(poll.account), poll.queue, ...(poll.types ?? []).toSorted()].join('\n'),
        queue: poll.queue,
        ms,
        signal,
        lease: async () => ((await mayLease()) ? lease(poll) : undefined),
        giveBack: (tasks) =>
          Promise.all(tasks.map(({ id, fencingToken: token }) => release({ account: poll.account, id, token }))),
      }),
    extend: (claim, leaseMs) => decide(database, claim, 'extend', () => extendTask(database, claim, leaseMs)),
    complete: async (claim, output) =>
      withoutValue(await decide(database, claim, 'complete', () => end(claim, { output }))),
    fail: async (claim, failure) =>
      withoutValue(await decide(database, claim, 'fail', () => end(claim, { error: workerError(failure) }))),
    release: async (claim) => withoutValue(await decide(database, claim, 'release', () => release(claim))),
    close: () => polls.close(),
  };
}

/** Performs an action if the lease allows it. Otherwise returns why it does not. */
async function decide<T>(
  database: Database,
  claim: LeaseClaim,
  action: LeaseAction,
  act: () => Promise<T | undefined>,
): Promise<LeaseAnswer<T>> {
  for (;;) {
    const value = await act();
    if (value !== undefined) return { outcome: 'done', value };
    const found = await findTask(database, claim.account, claim.id);
    if (found === undefined) return { outcome: 'unknown' };
    const judged = judgeLease(found, { token: claim.token, action });
    if (judged === 'repeated') return { outcome: 'repeated' };
    if (judged !== undefined) return { outcome: 'refused', refusal: judged };
    // The task was changed between the two statements.
  }
}

function withoutValue(answer: LeaseAnswer<true>): LeaseAnswer<undefined> {
  return answer.outcome === 'done' ? { outcome: 'done', value: undefined } : answer;
}
