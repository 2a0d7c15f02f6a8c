import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newExecutionId } from '#api/executions/engine/execution-id.ts';
import { isTerminal } from '#api/executions/engine/transitions.ts';
import type { Database } from '#api/postgres/database.ts';
import { EXECUTION_STATUSES, type ExecutionStatus } from '#schemas/api/execution-status.ts';
import { usePostgres } from '#test/support/use-services.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await usePostgres());
});

/** All allowed transitions; see `isTerminal`. */
const TRANSITIONS: Readonly<Record<ExecutionStatus, readonly ExecutionStatus[]>> = {
  created: ['pending', 'cancelled', 'rejected'],
  pending: ['created', 'running', 'waiting', 'cancelled', 'rejected'],
  running: ['waiting', 'pending', 'finalizing', 'completed', 'failed', 'cancelled', 'rejected'],
  waiting: ['pending', 'cancelled'],
  finalizing: ['pending', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
  rejected: [],
};

/** An execution in a given status, inserted by the owner of the database with the trigger disabled. */
async function executionIn(status: ExecutionStatus): Promise<string> {
  const id = newExecutionId();
  await database.transaction().execute(async (transaction) => {
    await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(transaction);
    await sql`
      INSERT INTO executions (id, kind, workflow_id, version_id, status, trigger_type, root_id, lease_until, completed_at)
      VALUES (${id}, 'workflow', 'wf_1', 'wfh_1', ${status}, 'api', ${id}, ${leaseOf(status)}, ${endOf(status)})`.execute(
      transaction,
    );
    await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(transaction);
  });
  return id;
}

const leaseOf = (status: ExecutionStatus) => (status === 'running' || status === 'finalizing' ? new Date() : null);
const endOf = (status: ExecutionStatus) => (isTerminal(status) ? new Date() : null);

const move = (id: string, status: ExecutionStatus) =>
  sql`UPDATE executions SET status = ${status}, lease_until = ${leaseOf(status)}, completed_at = ${endOf(status)} WHERE id = ${id}`.execute(
    database,
  );

test('the database permits every allowed transition and rejects every other', async () => {
  for (const from of EXECUTION_STATUSES) {
    for (const to of EXECUTION_STATUSES) {
      if (from === to) continue;
      const id = await executionIn(from);
      const moved = await move(id, to).then(
        () => 'moved',
        (error: { code?: string; constraint?: string }) => `${error.code} ${error.constraint}`,
      );
      expect(`${from} → ${to}: ${moved}`).toBe(
        `${from} → ${to}: ${TRANSITIONS[from].includes(to) ? 'moved' : '23514 execution_transitions'}`,
      );
    }
  }
});

test('an execution starts only as created or pending', async () => {
  for (const status of EXECUTION_STATUSES) {
    const id = newExecutionId();
    const begun = await sql`
      INSERT INTO executions (id, kind, workflow_id, version_id, status, trigger_type, root_id, lease_until, completed_at)
      VALUES (${id}, 'workflow', 'wf_1', 'wfh_1', ${status}, 'api', ${id}, ${leaseOf(status)}, ${endOf(status)})`
      .execute(database)
      .then(
        () => true,
        () => false,
      );
    expect([status, begun]).toEqual([status, status === 'created' || status === 'pending']);
  }
});

test('the transition tables of database and code are equal', async () => {
  const rows = await database.selectFrom('executionTransitions').selectAll().execute();
  const allowed = EXECUTION_STATUSES.flatMap((from) => TRANSITIONS[from].map((to) => `${from} ${to}`));
  expect(rows.map(({ fromStatus, toStatus }) => `${fromStatus} ${toStatus}`).toSorted()).toEqual(allowed.toSorted());
  for (const status of EXECUTION_STATUSES) expect(isTerminal(status)).toBe(TRANSITIONS[status].length === 0);
});

test('later ids are greater, and no two are equal', () => {
  const ids = Array.from({ length: 1_000 }, (_, at) => newExecutionId(1_700_000_000_000 + at));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 1_000 }, () => newExecutionId(0))).size).toBe(1_000);
  expect(ids[0]).toMatch(/^exec_[0-9a-hjkmnp-tv-z]{26}$/);
});
