import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  exceededQuota,
  type QuotaDefaults,
  quotaMessage,
  readUsage,
  setQuotaDefaults,
  settleUsage,
  setUserQuotas,
} from '#api/accounts/tables/quotas.ts';
import { newExecutionId } from '#api/executions/engine/execution-id.ts';
import { insertExecution } from '#api/executions/store/accept.ts';
import { deleteEnded, deleteOutlived } from '#api/executions/store/retention.ts';
import { insertEvent } from '#api/executions/store/signals.ts';
import { deleteExecutionFiles, putExecutionFiles } from '#api/executions/tables/execution-files.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { QUOTA_RESOURCE_NAMES, type QuotaResource } from '#schemas/api/quotas.ts';
import { PATIENT, usePostgres } from '#test/support/use-services.ts';
import { insertUser } from '../keys/key-fixture.ts';

const { database, url } = await usePostgres();
// More connections than shards, so some share one.
const many = createDatabase({ url, connections: 24, ...PATIENT });
afterAll(() => many.destroy());

const UNLIMITED = Object.fromEntries(QUOTA_RESOURCE_NAMES.map((name) => [name, null])) as QuotaDefaults;
const limit = (quotas: Partial<QuotaDefaults>, administratorsUnlimited = true) =>
  setQuotaDefaults(database, { ...UNLIMITED, ...quotas }, { administratorsUnlimited });
beforeEach(() => limit({}));

async function used(userId: string, resource: QuotaResource): Promise<number> {
  const usage = await readUsage(database, userId);
  return usage.find((one) => one.resource === resource)?.used ?? Number.NaN;
}

function insertAgent(db: Database, ownerId: string | null): Promise<unknown> {
  const id = randomBytes(10).toString('hex');
  return db
    .insertInto('agents')
    .values({ id: `awf_${id}`, slug: `a-${id}`, name: 'a', description: '', config: '{}', ownerId })
    .execute();
}

/** Returns how many of these were rejected for the quota. Any other failure fails the test. */
function refusals(results: readonly PromiseSettledResult<unknown>[], resource: QuotaResource): number {
  const failures = results.filter((result) => result.status === 'rejected');
  for (const { reason } of failures) expect(exceededQuota(reason)?.resource, String(reason)).toBe(resource);
  return failures.length;
}

const accept = (db: Database, ownerId: string | null, input: unknown = {}) => {
  const id = newExecutionId();
  return insertExecution(
    db,
    {
      id,
      kind: 'workflow',
      workflowId: 'wf_x',
      versionId: 'wfh_x',
      ownerId,
      triggerType: 'api',
      input: { json: JSON.stringify(input), file: null },
    },
    undefined,
  );
};

describe('a quota', () => {
  test.each([1, 5, 16, 100])('of %i is used up exactly by concurrent requests, and not exceeded', async (quota) => {
    await limit({ agents: quota });
    // The first requests of a user create its rows while others charge them.
    for (let round = 0; round < 6; round += 1) {
      const user = await insertUser(database);
      const results = await Promise.allSettled(Array.from({ length: quota + 30 }, () => insertAgent(many, user.id)));
      expect(refusals(results, 'agents')).toBe(30);
      expect(await used(user.id, 'agents')).toBe(quota);
      const { count } = await database
        .selectFrom('agents')
        .where('ownerId', '=', user.id)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      expect(count).toBe(quota);
    }
  });

  test('reports usage and limit', async () => {
    await limit({ agents: 2 });
    const user = await insertUser(database);
    await insertAgent(database, user.id);
    await insertAgent(database, user.id);
    const error = await insertAgent(database, user.id).catch((reason: unknown) => reason);
    const exceeded = { resource: 'agents', quota: 2, used: 2 } as const;
    expect(exceededQuota(error)).toEqual(exceeded);
    // Agents cannot be deleted, so the message does not suggest it.
    expect(quotaMessage(exceeded)).toBe(
      'the quota of agents is used up: 2 of 2; ask an administrator for a larger quota',
    );
    expect(quotaMessage({ ...exceeded, resource: 'events' })).toBe(
      'the quota of events is used up: 2 of 2; wait until events are older than 24 hours, or ask an administrator for a larger quota',
    );
  });

  test('stays consistent over concurrent charges and releases, whatever moves between the shards', async () => {
    await limit({ agents: 40 });
    const user = await insertUser(database);
    const release = () =>
      sql`DELETE FROM agents WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM agents WHERE owner_id = ${user.id} LIMIT 1 FOR UPDATE SKIP LOCKED))`.execute(many);
    const steps = Array.from({ length: 300 }, (_, at) => (at % 3 === 2 ? release() : insertAgent(many, user.id)));
    const watched = (async () => {
      let most = 0;
      for (let round = 0; round < 40; round += 1) {
        const { rows } = await sql<{ count: number }>`SELECT count(*) FROM agents WHERE owner_id = ${user.id}`.execute(
          database,
        );
        most = Math.max(most, Number(rows[0]?.count));
      }
      return most;
    })();
    refusals(await Promise.allSettled(steps), 'agents');
    expect(await watched).toBeLessThanOrEqual(40);
    const { rows } = await sql<{ count: number }>`SELECT count(*) FROM agents WHERE owner_id = ${user.id}`.execute(
      database,
    );
    expect(await used(user.id, 'agents')).toBe(Number(rows[0]?.count));
    for (let settled = 1; settled > 0; ) settled = await settleUsage(database);
    expect(await used(user.id, 'agents')).toBe(Number(rows[0]?.count));
  });

  test('of the user overrides the default, null is unlimited, and both apply to the next request', async () => {
    await limit({ agents: 1 });
    const user = await insertUser(database);
    await insertAgent(database, user.id);
    await expect(insertAgent(database, user.id)).rejects.toThrow('quota exceeded');
    const set = (agents: number | null | 'default') =>
      inTransaction(database, (transaction) => setUserQuotas(transaction, user.id, { agents }));
    await set(3);
    await insertAgent(database, user.id);
    await insertAgent(database, user.id);
    await expect(insertAgent(database, user.id)).rejects.toThrow('quota exceeded');
    await set(null);
    for (let round = 0; round < 20; round += 1) await insertAgent(database, user.id);
    expect((await readUsage(database, user.id))[1]).toEqual({ resource: 'agents', used: 23, quota: null, own: true });
    await set('default');
    await expect(insertAgent(database, user.id)).rejects.toThrow('quota exceeded');
    expect((await readUsage(database, user.id))[1]).toEqual({ resource: 'agents', used: 23, quota: 1, own: false });
  });

  test('that is lowered does not let a connection use a reservation of the old quota', async () => {
    await limit({ agents: 160 });
    const user = await insertUser(database);
    await Promise.all(Array.from({ length: 60 }, () => insertAgent(many, user.id)));
    await limit({ agents: 64 });
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => insertAgent(many, user.id)));
    expect(refusals(results, 'agents')).toBe(36);
    expect(await used(user.id, 'agents')).toBe(64);
  });

  test('applies to administrators if configured, and never to the operator', async () => {
    await limit({ agents: 1 }, false);
    const administrator = await insertUser(database, { role: 'admin' });
    await insertAgent(database, administrator.id);
    await expect(insertAgent(database, administrator.id)).rejects.toThrow('quota exceeded');
    await limit({ agents: 1 });
    await insertAgent(database, administrator.id);
    for (let round = 0; round < 3; round += 1) await insertAgent(database, null);
  });

  test('is not charged for a transaction that is rolled back', async () => {
    await limit({ agents: 1 });
    const user = await insertUser(database);
    const undone = database.transaction().execute(async (transaction) => {
      await insertAgent(transaction as unknown as Database, user.id);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await insertAgent(database, user.id);
  });
});

describe('executions', () => {
  test('that have not ended count; ending and deleting return their slot and bytes', async () => {
    await limit({ executions: 2, execution_bytes: 100_000 });
    const user = await insertUser(database);
    const first = await accept(database, user.id, 'x'.repeat(20_000));
    await accept(database, user.id);
    await expect(accept(database, user.id)).rejects.toThrow('quota exceeded');
    expect(await used(user.id, 'execution_bytes')).toBe(2 * 1_024 + 20_002 + 2);

    await sql`UPDATE executions SET status = 'running', lease_until = now() + interval '1 minute' WHERE id = ${first}`.execute(
      database,
    );
    await sql`INSERT INTO execution_lines (execution_id, seq, step, level, text, at)
      VALUES (${first}, 1, '/', 'info', ${'y'.repeat(1_000)}, now())`.execute(database);
    await sql`UPDATE executions SET status = 'completed', lease_until = NULL, completed_at = now() - interval '1 day',
      written_bytes = 30000 WHERE id = ${first}`.execute(database);
    expect(await used(user.id, 'executions')).toBe(1);
    expect(await used(user.id, 'execution_bytes')).toBe(2 * 1_024 + 20_002 + 2 + 30_000 + 1_064);

    await accept(database, user.id);
    expect((await deleteEnded(database, { olderThanMs: 1_000, limit: 10 })).ids).toEqual([first]);
    expect(await used(user.id, 'execution_bytes')).toBe(2 * (1_024 + 2));
    expect(await used(user.id, 'executions')).toBe(2);
  });

  test('are rejected for their bytes, including files of the payload store', async () => {
    await limit({ execution_bytes: 10_000 });
    const user = await insertUser(database);
    await expect(accept(database, user.id, 'x'.repeat(10_000))).rejects.toThrow('quota exceeded');
    const row = {
      id: newExecutionId(),
      kind: 'workflow' as const,
      workflowId: 'wf_x',
      versionId: 'wfh_x',
      ownerId: user.id,
      triggerType: 'api',
      input: { json: null, file: `${'a'.repeat(64)}:9000` },
    };
    await expect(insertExecution(database, row, undefined)).rejects.toThrow('quota exceeded');
    expect(await used(user.id, 'execution_bytes')).toBe(0);
  });

  test('are accepted concurrently up to the quota, and a repeated one counts once', async () => {
    await limit({ executions: 50 });
    const user = await insertUser(database);
    const results = await Promise.allSettled(Array.from({ length: 90 }, () => accept(many, user.id)));
    expect(refusals(results, 'executions')).toBe(40);
    await limit({});
    const row = {
      id: newExecutionId(),
      kind: 'workflow' as const,
      workflowId: 'wf_x',
      versionId: 'wfh_x',
      ownerId: user.id,
      triggerType: 'api',
      cause: `cause of ${user.id}`,
      input: { json: '{}', file: null },
    };
    expect(await insertExecution(database, row, undefined)).toBe(row.id);
    expect(await insertExecution(database, { ...row, id: newExecutionId() }, undefined)).toBeUndefined();
    expect(await used(user.id, 'executions')).toBe(51);
  });

  test('keep files: given files can be rejected, created files are counted, and all are deleted with them', async () => {
    await limit({ storage_bytes: 1_000 });
    const user = await insertUser(database);
    const id = await accept(database, user.id);
    const file = (kind: 'input' | 'output' | 'expected', path: string, size: number) => ({
      kind,
      path,
      size,
      contentHash: 'b'.repeat(64),
      contentType: 'text/plain',
    });
    await putExecutionFiles(database, id ?? '', [file('input', 'a', 600), file('input', 'b', 100)]);
    await expect(putExecutionFiles(database, id ?? '', [file('expected', 'c', 301)])).rejects.toThrow('quota exceeded');
    await putExecutionFiles(database, id ?? '', [file('output', 'd', 5_000)]);
    expect(await used(user.id, 'storage_bytes')).toBe(5_700);
    await settleUsage(database);
    await expect(putExecutionFiles(database, id ?? '', [file('expected', 'c', 1)])).rejects.toThrow('quota exceeded');
    await putExecutionFiles(database, id ?? '', [file('output', 'd', 100)]);
    expect(await used(user.id, 'storage_bytes')).toBe(800);
    await deleteExecutionFiles(database, id ?? '', ['input'], 'a');
    expect(await used(user.id, 'storage_bytes')).toBe(200);
    await sql`UPDATE executions SET status = 'cancelled', completed_at = now() - interval '1 day' WHERE id = ${id}`.execute(
      database,
    );
    await deleteEnded(database, { olderThanMs: 1_000, limit: 10 });
    expect(await used(user.id, 'storage_bytes')).toBe(0);
    expect(await used(user.id, 'executions')).toBe(0);
    expect(await used(user.id, 'execution_bytes')).toBe(0);
  });
});

test('workspaces count every version of a file, and versions have a separate quota', async () => {
  const user = await insertUser(database);
  const id = `awf_${randomBytes(10).toString('hex')}`;
  await database
    .insertInto('agents')
    .values({
      id,
      slug: id.toLowerCase().replace('_', '-'),
      name: 'a',
      description: '',
      config: '{}',
      ownerId: user.id,
    })
    .execute();
  const put = (version: number, size: number) =>
    inTransaction(database, async (transaction) => {
      await transaction
        .insertInto('agentVersions')
        .values({ agentId: id, version, commit: 'c', author: 'a' })
        .execute();
      await transaction
        .updateTable('agentFiles')
        .set({ untilVersion: version })
        .where('agentId', '=', id)
        .where('untilVersion', 'is', null)
        .execute();
      const content = { contentHash: 'c'.repeat(64), contentType: 'text/plain' };
      await transaction
        .insertInto('agentFiles')
        .values({ agentId: id, path: 'a', fromVersion: version, size, ...content })
        .execute();
    });
  await limit({ storage_bytes: 1_000, versions: 3 });
  await put(1, 400);
  await put(2, 400);
  await expect(put(3, 400)).rejects.toThrow('quota exceeded');
  expect([await used(user.id, 'storage_bytes'), await used(user.id, 'versions')]).toEqual([800, 2]);
  await put(3, 200);
  await expect(put(4, 0)).rejects.toThrow('quota exceeded');
});

test('examples count with their files, and return the bytes', async () => {
  await limit({ storage_bytes: 2_000 });
  const user = await insertUser(database);
  const agentId = `awf_${randomBytes(10).toString('hex')}`;
  const slug = agentId.toLowerCase().replace('_', '-');
  await database
    .insertInto('agents')
    .values({ id: agentId, slug, name: 'a', description: '', config: '{}', ownerId: user.id })
    .execute();
  const id = `awx_${randomBytes(10).toString('hex')}`;
  const example = { id, agentId, name: 'one', input: JSON.stringify('x'.repeat(498)), expected: null };
  await database
    .insertInto('agentExamples')
    .values(example as never)
    .execute();
  expect(await used(user.id, 'storage_bytes')).toBe(756);
  const file = { exampleId: id, kind: 'input', path: 'a', contentHash: 'd'.repeat(64), contentType: 'text/plain' };
  await expect(
    database
      .insertInto('agentExampleFiles')
      .values({ ...file, size: 1_500 } as never)
      .execute(),
  ).rejects.toThrow('quota exceeded');
  await database
    .insertInto('agentExampleFiles')
    .values({ ...file, size: 1_000 } as never)
    .execute();
  await expect(
    sql`UPDATE agent_examples SET expected = ${JSON.stringify('y'.repeat(998))}::json WHERE id = ${id}`.execute(
      database,
    ),
  ).rejects.toThrow('quota exceeded');
  await sql`DELETE FROM agent_examples WHERE id = ${id}`.execute(database);
  expect(await used(user.id, 'storage_bytes')).toBe(0);
});

test('keys also count when they are revoked', async () => {
  await limit({ api_keys: 2 });
  const user = await insertUser(database);
  const key = (keyId: string) =>
    database
      .insertInto('apiKeys')
      .values({
        keyId: `${keyId}-${user.id}`,
        userId: user.id,
        secretHash: 'h',
        label: 'l',
        scopes: [],
        expiresAt: null,
      })
      .execute();
  await key('one');
  await key('two');
  await sql`UPDATE api_keys SET revoked_at = now() WHERE user_id = ${user.id}`.execute(database);
  await expect(key('three')).rejects.toThrow('quota exceeded');
});

test('events sent by a user are rejected beyond the quota, and those of runs are only counted', async () => {
  await limit({ events: 2 });
  const user = await insertUser(database);
  const send = (id: string, enforced: boolean) =>
    insertEvent(database, { specversion: '1.0', id, source: user.id, type: 't' }, user.id, { enforced });
  expect(await send('1', true)).toBe(true);
  expect(await send('1', true)).toBe(false);
  expect(await send('2', false)).toBe(true);
  await settleUsage(database);
  await expect(send('3', true)).rejects.toThrow('quota exceeded');
  expect(await send('4', false)).toBe(true);
  expect(await used(user.id, 'events')).toBe(3);
  await sql`UPDATE execution_events SET routed = true, received_at = now() - interval '2 days' WHERE lane = ${user.id}`.execute(
    database,
  );
  await deleteOutlived(database, 100);
  expect(await used(user.id, 'events')).toBe(0);
  expect(await send('5', true)).toBe(true);
});
