import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#api/postgres/database.ts';
import { createIsolation, type IsolationGate } from '../../jobs/isolation.ts';
import { listenForWakeUps } from '../../jobs/listen.ts';
import { oneAtATime } from '../../jobs/one-at-a-time.ts';
import type { JobLogger } from '../../jobs/port.ts';
import { createWakeUp } from '../../jobs/wake-up.ts';
import type { PayloadStore } from '../payloads/port.ts';
import type { StepWrite } from '../store/advance.ts';
import { settleCancelled } from '../store/cancel.ts';
import { type ClaimedExecution, claimExecutions } from '../store/claim.ts';
import { handBackExecutions } from '../store/leases.ts';
import { pendingSignals } from '../store/signals.ts';
import { claimSuspect, endAlone } from '../store/suspects.ts';
import type { RunAgent } from './agent-run.ts';
import { createChildren, type ResolveWorkflow } from './children.ts';
import { createExecutions } from './executions.ts';
import { createFollowUps, ENDED, LOOK_AT, PENDING } from './follow-ups.ts';
import { createHeldExecutions, type ExecutionLease } from './held-executions.ts';
import type { HeldValues } from './held-values.ts';
import { TASK_KINDS } from './kind-registry.ts';
import type { ExecutionStatus, Interpreter } from './port.ts';
import { createRunner, type DefinitionOf, type RunTask } from './runner.ts';
import { createTending } from './tending.ts';
import { createWriter } from './writer.ts';

export interface ExecutionWorkerDeps {
  readonly database: Database;
  readonly interpreter: Interpreter;
  readonly definitions: DefinitionOf;
  /** Does what is outside. Sub-workflows are the worker's own. */
  readonly runTask: RunTask;
  /** Undefined: sub-workflows fail. */
  readonly resolveWorkflow?: ResolveWorkflow | undefined;
  /** Undefined: executions of agents are left to other workers. */
  readonly agents?: RunAgent | undefined;
  readonly payloads?: PayloadStore | undefined;
  /** Undefined: what executions in progress hold together is not bounded. */
  readonly heldValues?: HeldValues | undefined;
  readonly logger: JobLogger;
  /** Leads to PostgreSQL itself, to be woken over. Undefined: executions are found by looking alone. */
  readonly listenUrl?: string | undefined;
  /** Receives every status that this worker has written. */
  readonly onTransition?: (change: Transition) => void;
  /** Receives every finished outside step; seconds it took. */
  readonly onStepEnded?: (seconds: number) => void;
  /** Shared with the other workers of the process. */
  readonly isolationGate?: IsolationGate;
}

export interface Transition {
  readonly executionId: string;
  readonly kind: ClaimedExecution['kind'];
  readonly status: ExecutionStatus;
  /** Of one that runs for the first time: ms since it was ready to. */
  readonly queuedMs?: number;
}

export interface ExecutionWorkerConfig {
  /** Maximum leased executions. Waiting ones are not leased. Default 100. */
  readonly places?: number;
  /** What of the places one owner may have while they are scarce. Default 0.75. */
  readonly ownerShare?: number;
  /** After how long without renewal another worker takes an execution over. Default 8,000. */
  readonly leaseMs?: number;
  /** Default 2,000. */
  readonly renewMs?: number;
  /** Poll interval without notifications. Default 1,000. */
  readonly pollMs?: number;
  /** How long `stop` waits for leased executions. Default 5,000. */
  readonly finishMs?: number;
  /** How many workers that held an execution alone may die before the execution fails. Default 3. */
  readonly maxCrashes?: number;
}

export interface ExecutionWorker {
  /** Stops claiming, lets leased executions continue for a while, and releases the others. */
  stop(): Promise<void>;
  /** Leased executions. */
  inHand(): number;
}

/**
 * Leases executions and advances them until they wait: any number of workers share them by the rules of background jobs (`jobs/worker.ts`). It is
 * woken by NOTIFY and looks once a second; it renews all leases in one statement, and writes what came of many executions in one.
 */
export function createExecutionWorker(
  deps: ExecutionWorkerDeps,
  {
    places = 100,
    ownerShare = 0.75,
    leaseMs = 8_000,
    renewMs = 2_000,
    pollMs = 1_000,
    finishMs = 5_000,
    maxCrashes = 3,
  }: ExecutionWorkerConfig = {},
): ExecutionWorker {
  const { database, logger, payloads, onTransition } = deps;
  const worker = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  const kinds: ClaimedExecution['kind'][] = deps.agents === undefined ? ['workflow'] : ['workflow', 'agent'];
  const mostOfOne = Math.max(1, Math.floor(places * ownerShare));
  const wakeUp = createWakeUp({ database, logger });
  const followUps = createFollowUps({ database, logger, wakeUp });
  const executions = createExecutions({ database, logger, wakeUp, payloads });
  const working = new Set<Promise<void>>();
  let stopping = false;
  let away = false;
  /** The last claim found the queue empty: a place that became free is no reason to ask again. */
  let foundEmpty = false;

  const held = createHeldExecutions({ database, logger, worker, onSignals: (ids) => void deliver(ids) }, { leaseMs });
  const renew = oneAtATime(() => held.renew());
  const writer = createWriter(
    { database, logger },
    {
      onWritten(written) {
        for (const { write, at } of written) {
          const kind = held.get(at.id)?.execution.kind;
          if (at.status !== 'running' && kind !== undefined)
            onTransition?.({ executionId: at.id, kind, status: at.status });
          if (deps.onStepEnded !== undefined) for (const seconds of stepSeconds(write.steps)) deps.onStepEnded(seconds);
          if (write.events.length > 0) void followUps.route();
          if (write.waits.length > 0) void followUps.search();
          if (at.status === 'waiting') tending.expect(write.timers.map(({ fireAt }) => Date.parse(fireAt)));
          if (at.status === 'pending') look();
        }
      },
    },
  );
  const children = createChildren({
    database,
    wakeUp,
    payloads,
    resolveWorkflow: deps.resolveWorkflow,
    afterCancel: (id) => executions.cancel(id),
  });
  const runner = createRunner({ ...deps, writer, children });
  const isolation = createIsolation(deps.isolationGate, () => held.all().length + claims);
  /** Claims in flight. */
  let claims = 0;
  /** The suspect that runs alone. */
  let suspect: ExecutionLease | undefined;
  const onSuspects = isolation.observe;
  const tending = createTending(
    { database, logger, worker, wakeUp, followUps, attempt, look, kinds, onSuspects },
    { pollMs, leaseMs, maxCrashes },
  );

  // What comes in while a claim is running asks for one more.
  const claim = oneAtATime(async () => {
    while (!stopping) {
      const next = isolation.next(held.all().length);
      if (next === 'nothing') return;
      if (next !== 'usual') {
        if (await beginSuspect(next === 'alone')) continue;
        return;
      }
      const free = places - held.all().length;
      if (free <= 0) return;
      const counts = [...held.countByLane()];
      const fullLanes = counts.filter(([, count]) => count >= mostOfOne).map(([lane]) => lane);
      // No more than an owner may still have: the claim knows only which owners are full.
      const most = mostOfOne - Math.max(0, ...counts.map(([, count]) => count).filter((count) => count < mostOfOne));
      const asked = performance.now();
      const wish = { worker, leaseMs, kinds, fullLanes, places: Math.min(free, most, AT_ONCE) };
      claims += 1;
      const claimed = await attempt(() => claimExecutions(database, wish));
      const leases = (claimed ?? []).map((execution) => held.add(execution, asked));
      claims -= 1;
      if (claimed === undefined || claimed.length === 0) {
        foundEmpty = fullLanes.length === 0;
        return;
      }
      foundEmpty = false;
      begin(leases);
      if (claimed.length < wish.places) {
        foundEmpty = fullLanes.length === 0;
        return;
      }
    }
  });
  function look(): void {
    if (!stopping) void claim();
  }

  /** False when PostgreSQL could not be asked. */
  async function beginSuspect(alone: boolean): Promise<boolean> {
    const asked = performance.now();
    claims += 1;
    const claimed = await attempt(async () => [await claimSuspect(database, { worker, leaseMs, kinds, alone })]);
    const [execution] = claimed ?? [];
    claims -= 1; // what follows runs in the same turn of the event loop
    if (execution === undefined) {
      if (alone) isolation.end();
      isolation.observe(null);
      return claimed !== undefined;
    }
    const lease = held.add(execution, asked);
    const { losses } = execution;
    logger.info({ execution: lease.id, losses, alone }, 'running an execution whose worker died');
    if (alone) {
      suspect = lease;
      isolation.begin(losses, () => void survived(lease));
    } else isolation.joined();
    begin([lease]);
    return true;
  }

  /** Until this is written, a death of the worker is counted for this execution alone. */
  async function survived(lease: ExecutionLease): Promise<void> {
    while (suspect === lease && (await attempt(() => endAlone(database, lease))) === undefined) await pause(pollMs);
    leaveAlone(lease);
  }

  function leaveAlone(lease: ExecutionLease): void {
    if (suspect !== lease) return;
    suspect = undefined;
    isolation.end();
    look();
  }

  function begin(leases: readonly ExecutionLease[]): void {
    for (const { id, execution } of leases) {
      const queuedMs = execution.startedAt.getTime() - execution.queuedAt.getTime();
      const first = queuedMs >= 0 ? { queuedMs } : {}; // one that goes on began before it was ready again
      onTransition?.({ executionId: id, kind: execution.kind, status: 'running', ...first });
    }
    const prepared = runner.prepare(leases);
    for (const lease of leases) {
      const work = workOn(lease, prepared).finally(() => void working.delete(work));
      working.add(work);
    }
  }

  async function workOn(lease: ExecutionLease, prepared: ReturnType<typeof runner.prepare>): Promise<void> {
    const end = await runner.run(lease, prepared);
    const stopped = isStopped(lease.abort.signal);
    if (stopped && end === 'left') return; // stays among those to hand back
    lease.settled = true;
    held.remove(lease);
    leaveAlone(lease);
    if (end === 'ended') await ended(lease);
    // Possibly cancelled before this worker was notified.
    if (end === 'left') await settle([lease.id]);
    if (end === 'ready' || !foundEmpty) look();
  }

  async function ended(lease: ExecutionLease): Promise<void> {
    const { id, execution } = lease;
    wakeUp(`${ENDED}${id}`);
    if (execution.awaited) await followUps.notifyParents();
    if (execution.concurrencyKey !== null) await followUps.admit(execution.concurrencyKey);
    if (runner.hadChildren(lease)) {
      const orphans = await attempt(() => runner.orphansOf(id));
      for (const orphan of orphans ?? []) await attempt(() => executions.cancel(orphan));
    }
  }

  async function settle(ids: readonly string[]): Promise<void> {
    const settled = (await attempt(() => settleCancelled(database, { worker, ids }))) ?? [];
    if (settled.length === 0) return;
    for (const { id, kind } of settled) onTransition?.({ executionId: id, kind, status: 'cancelled' });
    wakeUp(...settled.map(({ id }) => `${ENDED}${id}`));
    await followUps.notifyParents();
    for (const { concurrencyKey } of settled) if (concurrencyKey !== null) await followUps.admit(concurrencyKey);
  }

  async function deliver(ids: readonly string[]): Promise<void> {
    const signals = await attempt(() => pendingSignals(database, ids));
    for (const id of ids)
      runner.deliver(
        id,
        (signals ?? []).filter(({ executionId }) => executionId === id),
      );
  }

  /** Undefined when the query failed; that is logged once, until it succeeds again. */
  async function attempt<T>(query: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await query();
      if (away) logger.info({}, 'executions can be asked for again');
      away = false;
      return result;
    } catch (error) {
      if (!away) logger.error({ err: error }, 'executions can not be asked for');
      away = true;
      return undefined;
    }
  }

  const listener =
    deps.listenUrl === undefined
      ? undefined
      : listenForWakeUps(
          deps.listenUrl,
          (names) => {
            if (names === undefined || names.includes(PENDING)) look();
            const mine = names?.some((name) => name.startsWith(LOOK_AT) && held.get(name.slice(LOOK_AT.length)));
            if (names === undefined || mine) void renew();
          },
          logger,
        );
  const renewal = setInterval(() => void renew(), renewMs);
  tending.start();

  return {
    inHand: () => held.all().length,
    async stop() {
      stopping = true;
      tending.stop();
      await listener?.close();
      await claim();
      isolation.end();
      await settledWithin(working, finishMs);
      for (const { abort } of held.all()) abort.abort(new DOMException('the worker stops', 'AbortError'));
      await Promise.all(working);
      await writer.idle();
      clearInterval(renewal);
      const left = held.all();
      if (left.length === 0) return;
      await attempt(() => handBackExecutions(database, left));
      logger.info({ executions: left.length }, 'leased executions were released');
      wakeUp(PENDING);
    },
  };
}

/** Executions of one claim: so many that the statement pays, so few that another worker has some too. */
const AT_ONCE = 40;

function isStopped({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'AbortError';
}

async function settledWithin(working: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([Promise.all(working), promise]);
  clearTimeout(timer);
}

/** Durations of steps that work outside the engine; the others take no time. */
function* stepSeconds(steps: readonly StepWrite[]): Generator<number> {
  for (const { kind, startedAt, endedAt } of steps)
    if (TASK_KINDS.get(kind)?.work === 'outside' && startedAt && endedAt)
      yield Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
}
