import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import { newKey } from '#api/accounts/keys/key-format.ts';
import { createKeyStates, type KeyStatesOptions } from '#api/accounts/keys/key-states.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { insertUser } from './key-fixture.ts';

const { database } = await usePostgres();
const user = await insertUser(database);
const keyIds = Array.from({ length: 600 }, () => newKey().keyId);
const common = { userId: user.id, secretHash: 'hash', label: 'x', scopes: ['scrapers'], expiresAt: null };
await database
  .insertInto('apiKeys')
  .values(keyIds.map((keyId) => ({ keyId, ...common })))
  .execute();
const [first = '', second = ''] = keyIds;

/** Key states whose queries are counted. */
function counted(options: KeyStatesOptions = { maxAgeMs: 60_000 }) {
  const queries = { count: 0 };
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      queries.count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { queries, states: createKeyStates({ database: database.withPlugin(counting) }, options) };
}

test('queries the keys of one turn of the event loop together, in batches', async () => {
  const { states, queries } = counted();
  const few = await Promise.all(Array.from({ length: 300 }, (_, at) => states.get(keyIds[at % 100] ?? '')));
  expect(few.map((state) => state?.keyId)).toEqual(Array.from({ length: 300 }, (_, at) => keyIds[at % 100]));
  expect(queries.count).toBe(1);
  const all = await Promise.all(keyIds.map((keyId) => states.get(keyId)));
  expect(all.every((state) => state?.usable)).toBe(true);
  expect(queries.count).toBe(2);
});

test('an unknown key is undefined, and not queried again immediately', async () => {
  const { states, queries } = counted();
  expect(await states.get('tl_000000000000')).toBeUndefined();
  expect(await states.get('tl_000000000000')).toBeUndefined();
  expect(queries.count).toBe(1);
});

test('uses a cached state until its maximum age', async () => {
  const { states, queries } = counted({ maxAgeMs: 50 });
  await Promise.all([states.get(first), states.get(first)]);
  expect(queries.count).toBe(1);
  await waitFor('the next look-up', async () => {
    await states.get(first);
    return queries.count > 1;
  });
});

test('refreshes a used key before its state expires, without delaying callers', async () => {
  let now = 0;
  const { states, queries } = counted({ maxAgeMs: 400, now: () => now });
  await states.get(first);
  await database.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`.execute(transaction);
    now = 199;
    await states.get(first);
    expect(queries.count).toBe(1);
    for (now = 200; now < 400; now += 50) expect((await states.get(first))?.usable).toBe(true);
    await waitFor('the question', () => queries.count === 2);
    await sql`UPDATE users SET disabled = true WHERE id = ${user.id}`.execute(transaction);
  });
  // A caller that finds an expired state joins the query in flight.
  now = 401;
  expect((await states.get(first))?.usable).toBe(false);
  expect(queries.count).toBe(2);
  await sql`UPDATE users SET disabled = false WHERE id = ${user.id}`.execute(database);
});

test('ignores an answer that was requested before a change', async () => {
  let now = 0;
  const { states, queries } = counted({ maxAgeMs: 400, now: () => now });
  await states.get(first);
  now = 300;
  await states.get(first);
  await waitFor('the question', () => queries.count === 2, { everyMs: 1 });
  states.forget({ keyId: first });
  await states.get(first);
  expect(queries.count).toBe(3);
  now = 450; // the second response would expire no later than this, the third does
  await states.get(first);
  expect(queries.count).toBe(3);
});

test('forgets the least recently used key beyond the maximum', async () => {
  const { states, queries } = counted({ maxAgeMs: 60_000, maxKeys: 2 });
  for (const keyId of [first, second, 'tl_000000000000']) await states.get(keyId);
  await states.get(second);
  expect(queries.count).toBe(3);
  await states.get(first);
  expect(queries.count).toBe(4);
});

test('the next caller sees a change, even while an older answer is in flight', async () => {
  const { states, queries } = counted();
  const underway = states.get(first);
  await waitFor('the query to go out', () => queries.count === 1, { everyMs: 1 });
  states.forget({ keyId: first });
  await Promise.all([underway, states.get(first)]);
  expect(queries.count).toBe(2);
  await states.get(second);
  states.forget({ userId: crypto.randomUUID() });
  await Promise.all([states.get(first), states.get(second)]);
  expect(queries.count).toBe(3);
  states.forget({ userId: user.id });
  await Promise.all([states.get(first), states.get(second)]);
  expect(queries.count).toBe(4);
});
