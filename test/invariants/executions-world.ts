import { sql } from 'kysely';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Database } from '#api/postgres/database.ts';

/** External effect of a task in the oracle's executions: one row for each start of the task. */
export interface Effect {
  readonly executionId: string;
  readonly step: string;
  readonly key: string;
}

export async function createWorld(database: Database): Promise<void> {
  await sql`
    CREATE TABLE oracle_effects (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, execution_id text NOT NULL, step text NOT NULL, key text NOT NULL
    )`.execute(database);
}

export async function insertEffect(database: Database, { executionId, step, key }: Effect): Promise<void> {
  await sql`INSERT INTO oracle_effects (execution_id, step, key) VALUES (${executionId}, ${step}, ${key})`.execute(
    database,
  );
}

export async function effectsOf(database: Database): Promise<Effect[]> {
  const { rows } = await sql<Effect>`SELECT execution_id, step, key FROM oracle_effects ORDER BY seq`.execute(database);
  return rows;
}

const document = { dsl: '1.0.0', namespace: 'oracle', name: 'oracle', version: '1.0.0' };
/** Returns a task that takes this number of ms. */
const take = (ms: number): JsonValue => ({ run: { script: { language: 'javascript', code: String(ms) } } });
const tasks = (...list: readonly Readonly<Record<string, JsonValue>>[]): WorkflowDefinition => ({ document, do: list });

/** One workflow for each kind of activity: steps, waits for times, events and children, parallel branches. */
export const ORACLE_DEFINITIONS: Readonly<Record<string, WorkflowDefinition>> = {
  steps: tasks({ a: take(5) }, { b: take(30) }, { c: take(0) }, { d: take(60) }),
  waits: tasks({ a: take(10) }, { pause: { wait: { milliseconds: 200 } } }, { b: take(10) }),
  listens: tasks({ a: take(20) }, { signal: { listen: { to: { one: { with: { type: 'go' } } } } } }, { b: take(10) }),
  hears: tasks(
    { a: take(20) },
    {
      signal: {
        listen: { to: { any: [{ with: { type: 'go' } }], until: { one: { with: { type: 'enough' } } } } },
        foreach: { do: [{ b: take(30) }] },
      },
    },
    { c: take(10) },
  ),
  parent: tasks(
    { a: take(5) },
    { sub: { run: { workflow: { namespace: 'oracle', name: 'child', version: '1.0.0' } } } },
    { b: take(5) },
  ),
  replies: tasks(
    ...[1, 2, 3].flatMap((n) => [
      { [`hear${n}`]: { listen: { to: { one: { with: { type: `ask.${n}` } } } } } },
      { [`work${n}`]: take(20) },
      {
        [`say${n}`]: {
          emit: {
            event: { with: { source: 'urn:oracle', type: `answer.${n}`, causationid: `ask-${n}`, data: { n } } },
          },
        },
      },
    ]),
  ),
  limited: tasks({ a: take(20) }, { pause: { wait: { milliseconds: 100 } } }, { b: take(30) }),
  child: tasks({ a: take(20) }, { b: take(20) }),
  branches: tasks(
    { a: take(5) },
    { both: { fork: { branches: [{ left: take(40) }, { right: { do: [{ r1: take(10) }, { r2: take(10) }] } }] } } },
    { b: take(5) },
  ),
};
