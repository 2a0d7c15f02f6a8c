import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { randomName } from '#test/support/random-name.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { problemsOfLimits, releaseLimited } from './executions-limits.ts';
import { type Effect, effectsOf, ORACLE_DEFINITIONS } from './executions-world.ts';

const WORKER = fileURLToPath(new URL('executions-worker.ts', import.meta.url));
const KINDS = ['steps', 'waits', 'listens', 'hears', 'parent', 'branches', 'limited', 'limited'] as const;

export interface ExecutionsOracleRun {
  readonly seed: number;
  readonly runs: number;
  readonly workers: number;
  readonly kills: number;
  readonly database: Database;
  readonly url: string;
}

export interface ExecutionsOracleResult {
  /** Descriptions of the violations. */
  readonly problems: readonly string[];
  /** Number of steps that were running when a worker was killed and that another worker started again. */
  readonly begunAgain: number;
}

/**
 * Runs executions of every kind while workers are killed and restarted at random times and some executions are cancelled.
 * Resolves to descriptions of the violations of these invariants:
 *
 * - every accepted execution has ended, as completed or, when it was requested, as cancelled;
 * - a step is not run again after a later step has started, and a step that runs twice has the same key both times;
 * - each step of a completed execution has recorded its effect, and nothing ended twice;
 * - a child is started once, also when several workers started the step that starts it;
 * - every consumed event was processed;
 * - limits were observed, and no slot and no batched start was lost: see `problemsOfLimits`.
 */
export async function runExecutionsOracle({
  seed,
  runs,
  workers: count,
  kills,
  database,
  url,
}: ExecutionsOracleRun): Promise<ExecutionsOracleResult> {
  const random = seededRandom(seed);
  const logger = pino({ level: 'silent' });
  const limited = await releaseLimited(database);
  const { startLimits } = limited;
  const executions = createExecutions({ database, logger, wakeUp: createWakeUp({ database, logger }), startLimits });
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-executions-'));
  const start = (): SupervisedProcess =>
    supervise({
      command: process.execPath,
      args: [WORKER, url, '2000'],
      logFile: path.join(folder, `${randomName('worker')}.log`),
    });
  const workers = Array.from({ length: count }, start);
  try {
    const kinds = new Map<string, (typeof KINDS)[number]>();
    const cancelled = new Set<string>();
    const inputs: number[] = [];
    const accept = async (): Promise<void> => {
      const kind = random.pick(KINDS);
      const keyed = random.next() < 0.2;
      const isLimited = kind === 'limited';
      const n = inputs.length;
      if (isLimited) inputs.push(n);
      const accepted = await executions.accept({
        kind: 'workflow',
        workflowId: isLimited ? limited.workflowId : `wf_${kind}`,
        input: { n },
        mergeable: isLimited && random.next() < 0.5,
        versionId: kind,
        ownerId: null,
        triggerType: 'api',
        concurrencyKey: keyed ? `seed ${seed} ${random.between(1, 3)}` : null,
      });
      if (accepted.outcome === 'accepted') kinds.set(accepted.id, kind);
    };
    const ended = async (): Promise<boolean> =>
      (await database.selectFrom('executions').select('id').where('completedAt', 'is', null).limit(1).execute())
        .length === 0;

    let events = 0;
    const send = (type: 'go' | 'enough') =>
      executions.publish({ specversion: '1.0', id: `${seed} ${++events}`, source: 'oracle', type, data: null });
    const acceptSome = async (): Promise<void> => {
      for (let number = 0; number < Math.ceil(runs / (kills + 1)); number += 1) await accept();
    };
    await acceptSome();
    await waitFor('a worker to work', async () => (await effectsOf(database)).length > 0);
    for (let blow = 0; blow < kills; blow += 1) {
      await acceptSome();
      await pause(random.between(5, 400));
      const at = random.between(0, count - 1);
      await workers[at]?.kill9();
      workers[at] = start();
      if (random.next() < 0.5) {
        const id = random.pick([...kinds.keys()]);
        const answer = await executions.cancel(id);
        if (answer !== undefined && answer.status !== 'already-terminal') cancelled.add(id);
      }
      await send('go');
      if (random.next() < 0.3) await send('enough');
    }
    await waitFor(
      'every execution to end',
      async () => {
        await send('go');
        await send('enough');
        return ended();
      },
      { timeoutMs: 180_000, everyMs: 200 },
    );
    const effects = await effectsOf(database);
    const begunAgain = effects.length - new Set(effects.map(({ executionId, step }) => `${executionId} ${step}`)).size;
    const problems = [
      ...(await problemsOf(database, kinds, cancelled)),
      ...(await problemsOfLimits(database, limited, inputs)),
    ];
    return { problems, begunAgain };
  } finally {
    await Promise.all(workers.map((worker) => worker.kill9()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function problemsOf(
  database: Database,
  kinds: ReadonlyMap<string, string>,
  cancelled: ReadonlySet<string>,
): Promise<string[]> {
  const problems: string[] = [];
  const rows = await database.selectFrom('executions').select(['id', 'status', 'versionId', 'error']).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [id] of kinds) {
    const row = byId.get(id);
    const expected = cancelled.has(id) ? 'cancelled' : 'completed';
    if (row?.status !== expected)
      problems.push(`${id} is ${row?.status}, not ${expected}: ${JSON.stringify(row?.error)}`);
  }
  // Without data the checks prove nothing.
  if (kinds.size === 0) problems.push('nothing was accepted');
  problems.push(...(await repeatedEnds(database)), ...(await repeatedChildren(database)));
  const taken = await takenEvents(database);
  const effects = Map.groupBy(await effectsOf(database), ({ executionId }) => executionId);
  for (const { id, status, versionId } of rows) {
    const marks = effects.get(id) ?? [];
    problems.push(...repetitions(id, marks));
    if (status !== 'completed') continue;
    const expected = tasksOf(ORACLE_DEFINITIONS[versionId ?? '']?.do);
    const done = new Set(marks.map(({ step }) => step.split('/').at(-1) ?? ''));
    const missing = expected.filter((name) => !done.has(name));
    const turns = new Set(marks.flatMap(({ step }) => /foreach\[\d+\]/.exec(step) ?? [])).size;
    if (versionId === 'hears' && turns !== (taken.get(id) ?? 0))
      problems.push(`${id} took ${taken.get(id) ?? 0} events, and ${turns} had a turn`);
    if (missing.length > 0) problems.push(`${id} (${versionId}) completed without ${missing.join(', ')}`);
  }
  return problems;
}

/** Returns descriptions of executions that have not ended exactly once. */
export async function repeatedEnds(database: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string; ends: number }>`
    SELECT id, count(execution_changes.execution_id)::int AS ends FROM executions
    LEFT JOIN execution_changes ON execution_id = id AND to_status IN ('completed', 'failed', 'cancelled', 'rejected')
    GROUP BY id HAVING count(execution_changes.execution_id) <> 1`.execute(database);
  return rows.map(({ id, ends }) => `${id} ended ${ends} times`);
}

async function repeatedChildren(database: Database): Promise<string[]> {
  const { rows } = await sql<{ parentId: string; children: number }>`
    SELECT parent_id, count(*)::int AS children FROM executions
    WHERE parent_id IS NOT NULL GROUP BY parent_id HAVING count(*) > 1`.execute(database);
  return rows.map(({ parentId, children }) => `${parentId} has ${children} children of one step`);
}

/** Returns how many events each execution consumed, without the events that end its listening. */
async function takenEvents(database: Database): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ executionId: string; events: number }>`
    SELECT execution_id, count(*)::int AS events FROM execution_signals
    WHERE kind = 'event' AND consumed AND payload->>'type' = 'go' GROUP BY execution_id`.execute(database);
  return new Map(rows.map(({ executionId, events }) => [executionId, events]));
}

/** Returns the names of the tasks that record an effect. */
function tasksOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
    Object.entries(entry).flatMap(([name, task]) => {
      const run = task.run as { script?: unknown } | undefined;
      if (run?.script !== undefined) return [name];
      const fork = task.fork as { branches?: unknown } | undefined;
      return tasksOf(fork?.branches ?? task.do);
    }),
  );
}

/**
 * Returns descriptions of steps that were started again after a later step of the same list, and of steps with more
 * than one key.
 */
function repetitions(id: string, marks: readonly Effect[]): string[] {
  const problems: string[] = [];
  const keys = new Map<string, string>();
  const reached = new Map<string, number>();
  for (const { step, key } of marks) {
    if ((keys.get(step) ?? key) !== key) problems.push(`${id} ${step} was given two keys`);
    keys.set(step, key);
    // `/do/2/name` is the third step of its list.
    const [, list = '', index = ''] = /^(.*)\/(\d+)\/[^/]+$/.exec(step) ?? [];
    if (list.endsWith('branches')) continue; // branches run concurrently
    if (Number(index) < (reached.get(list) ?? 0)) problems.push(`${id} ${step} was begun again after what follows it`);
    reached.set(list, Math.max(reached.get(list) ?? 0, Number(index)));
  }
  return problems;
}
