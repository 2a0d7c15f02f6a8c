import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { ExecutionWorker } from '#api/executions/engine/worker/worker.ts';
import type { Database } from '#api/postgres/database.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { createEngineFixture, type EngineFixture, event, listenTo, script, workflow } from './engine-fixture.ts';

/**
 * Model of an execution: step a, then a wait for the event `go`, then step b. Each part continues when the test permits
 * it.
 */
interface KnownExecution {
  readonly number: number;
  /** 0: in step a. 1: waiting. 2: in step b. 3: completed. */
  phase: 0 | 1 | 2 | 3;
  cancelled: boolean;
  suspended: boolean;
}

interface Model {
  readonly executions: KnownExecution[];
  workers: number;
}

interface Real {
  readonly engine: EngineFixture;
  readonly database: Database;
  readonly ids: string[];
  /** Steps that may continue, as `id code`. */
  readonly let: Set<string>;
  readonly workers: ExecutionWorker[];
  readonly nonce: string;
}

type Step = fc.AsyncCommand<Model, Real>;

let database: Database;
let url: string;
beforeAll(async () => {
  ({ database, url } = await usePostgres());
});

/** Leases expire by commands, not because the machine is slow. */
const LEASE_MS = 60_000;
const MOST = 8;

function startWorker(real: Real): void {
  real.workers.push(real.engine.work({ leaseMs: LEASE_MS, renewMs: 150, pollMs: 50, places: 20, finishMs: 20 }));
}

/** A command on one of the existing executions. */
function onOne(
  name: string,
  pick: number,
  check: (one: KnownExecution, model: Readonly<Model>) => boolean,
  run: (one: KnownExecution, id: string, real: Real, model: Model) => Promise<void>,
): Step {
  const chosen = (model: Readonly<Model>) => model.executions[pick % Math.max(1, model.executions.length)];
  return {
    check(model) {
      const one = chosen(model);
      return one !== undefined && check(one, model);
    },
    async run(model, real) {
      const one = chosen(model) as KnownExecution;
      await run(one, real.ids[one.number] as string, real, model);
    },
    toString: () => `${name}(${pick})`,
  };
}

const atWork = ({ phase, cancelled }: KnownExecution) => phase < 3 && !cancelled;
const mayGoOn = (one: KnownExecution) => atWork(one) && !one.suspended;
const NOTHING = async () => {};

const commands = [
  fc.constant<Step>({
    check: ({ executions }) => executions.length < MOST,
    async run(model, real) {
      const number = model.executions.length;
      real.ids.push(await real.engine.run(`abc ${number}`));
      model.executions.push({ number, phase: 0, cancelled: false, suspended: false });
    },
    toString: () => 'accept',
  }),
  fc.nat(7).map((pick) =>
    onOne(
      'finish step',
      pick,
      (one, { workers }) => workers > 0 && mayGoOn(one) && one.phase !== 1,
      async (one, id, real) => {
        real.let.add(`${id} ${one.phase === 0 ? 'a' : 'b'}`);
        await real.engine.until(id, one.phase === 0 ? 'waiting' : 'completed');
        one.phase = one.phase === 0 ? 1 : 3;
      },
    ),
  ),
  fc.nat(7).map((pick) =>
    onOne(
      'send event',
      pick,
      (one) => atWork(one) && one.phase === 1,
      async (one, id, real) => {
        await real.engine.executions.publish(event(`${real.nonce} ${id}`, `go.${one.number}`));
        one.phase = 2;
      },
    ),
  ),
  fc.nat(7).map((pick) =>
    onOne(
      'cancel',
      pick,
      () => true,
      async (one, id, real, model) => {
        const answer = await real.engine.executions.cancel(id);
        if (one.phase === 3) expect(answer).toMatchObject({ status: 'already-terminal', wasStatus: 'completed' });
        else if (!one.cancelled) expect(answer?.status).not.toBe('already-terminal');
        if (one.phase < 3) one.cancelled = true;
        // Without a worker, the next worker cancels a running execution.
        if (one.cancelled && model.workers > 0) await real.engine.until(id, 'cancelled');
      },
    ),
  ),
  fc.nat(7).map((pick) =>
    onOne('suspend', pick, atWork, async (one, id, real) => {
      const answer = await real.engine.executions.suspend(id, NOTHING);
      expect(answer?.status).toMatch(one.suspended ? /^(?:already-suspended|suspension-requested)$/ : /^suspen/);
      one.suspended = true;
    }),
  ),
  fc.nat(7).map((pick) =>
    onOne('resume', pick, atWork, async (one, id, real) => {
      const answer = await real.engine.executions.resume(id, NOTHING);
      expect(answer?.status).toBe(one.suspended ? 'resumed' : 'not-suspended');
      one.suspended = false;
    }),
  ),
  fc.nat(7).map((pick) =>
    onOne('end lease', pick, atWork, async (_one, id, real) => {
      // Its worker does not know this: it continues as a zombie until it renews.
      await sql`UPDATE executions SET lease_until = now() - interval '1 hour' WHERE id = ${id} AND lease_until IS NOT NULL`.execute(
        real.database,
      );
    }),
  ),
  fc.constant<Step>({
    check: ({ workers }) => workers < 2,
    async run(model, real) {
      startWorker(real);
      model.workers += 1;
    },
    toString: () => 'start worker',
  }),
  fc.constant<Step>({
    check: ({ workers }) => workers > 0,
    async run(model, real) {
      await real.workers.shift()?.stop();
      model.workers -= 1;
    },
    toString: () => 'stop worker',
  }),
];

test('executions reach the expected state for any operations in any order, with workers that come, go and lose leases', async () => {
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (cmds) => {
      turn += 1;
      const engine = createEngineFixture(database, url);
      const real: Real = { engine, database, ids: [], let: new Set(), workers: [], nonce: `turn ${turn}` };
      const model: Model = { executions: [], workers: 0 };
      for (let number = 0; number < MOST; number += 1)
        engine.definitions.set(
          `abc ${number}`,
          workflow({ a: script('a'), go: listenTo(`go.${number}`), b: script('b') }),
        );
      for (const code of ['a', 'b'])
        engine.tasks.set(code, async (_, { executionId, signal }) => {
          await waitFor('the step to be let go on', () => signal.aborted || real.let.has(`${executionId} ${code}`), {
            everyMs: 5,
          });
          signal.throwIfAborted();
          return code;
        });
      try {
        await fc.asyncModelRun(() => ({ model, real }), cmds);
        await settle(model, real);
      } finally {
        await engine.stopAll();
        for (const table of [
          'executions',
          'executionSteps',
          'executionWaits',
          'executionEvents',
          'executionSignals',
          'executionChanges',
        ] as const)
          await database.deleteFrom(table).execute();
      }
    }),
    { numRuns: 20, seed: 20_260_101, endOnFailure: true },
  );
});

/** Lets everything continue, and compares the final states with the model. */
async function settle(model: Model, real: Real): Promise<void> {
  startWorker(real);
  for (const id of real.ids) for (const code of ['a', 'b']) real.let.add(`${id} ${code}`);
  for (const { number, cancelled, phase, suspended } of model.executions) {
    const id = real.ids[number] as string;
    if (suspended) await real.engine.executions.resume(id, NOTHING);
    if (!cancelled && phase < 2) {
      await waitFor('it to wait', async () => ['waiting', 'completed'].includes((await real.engine.row(id)).status));
      await real.engine.executions.publish(event(`${real.nonce} last ${id}`, `go.${number}`));
    }
    const expected: ExecutionStatus = cancelled ? 'cancelled' : 'completed';
    const row = await real.engine.until(id, expected);
    expect(row.result).toBe(cancelled ? null : 'b');
    const begun = real.engine.begun.filter(({ executionId }) => executionId === id);
    const codes = begun.map(({ code }) => code).join('');
    // A step that has a successor does not begin again.
    expect(codes).toMatch(/^a*b*$/);
    for (const code of ['a', 'b'])
      expect(
        new Set(begun.filter((one) => one.code === code).map(({ idempotencyKey }) => idempotencyKey)).size,
      ).toBeLessThan(2);
  }
}
