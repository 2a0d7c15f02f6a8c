import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { createReadLists } from '#api/read-replica/read-lists.ts';
import { createRecentWrites } from '#api/read-replica/recent-writes.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { url, database: primary } = await usePostgres({ migrated: false });
const CALLER = { caller: { kind: 'operator', role: 'admin', keyId: 'operator' } } as const;

const serverOf = async (database: Database) =>
  (await sql<{ name: string }>`SELECT current_setting('application_name') AS name`.execute(database)).rows[0]?.name;

function replicaAt(replicaUrl: string) {
  const database = createDatabase({ url: replicaUrl, connections: 1 });
  onTestFinished(() => database.destroy());
  return { database, completeUpTo: () => 0 };
}

test('reads a list from the replica until its caller writes', async () => {
  const shared = createMemorySharedState();
  const writes = createRecentWrites(shared.cache);
  const replica = replicaAt(`${url}${url.includes('?') ? '&' : '?'}application_name=replica`);
  const readLists = createReadLists({ primary, replica, writes, now: () => 0 });
  const other = {
    caller: { ...CALLER.caller, kind: 'session', userId: 'other', username: 'o', email: 'o', sessionId: 's' },
  } as const;
  expect(await readLists(CALLER, serverOf)).not.toBe(await readLists({ caller: undefined }, serverOf));
  await writes.note('operator');
  expect(await readLists(CALLER, serverOf)).toBe(await readLists({ caller: undefined }, serverOf));
  expect(await readLists(other, serverOf)).not.toBe(await readLists(CALLER, serverOf));
});

test('reads a list from the primary if the replica is unavailable; other errors are those of the list', async () => {
  const { cache } = createMemorySharedState();
  const replica = replicaAt('postgres://unknown@127.0.0.1:1/none');
  const readLists = createReadLists({ primary, replica, writes: createRecentWrites(cache), now: () => 0 });
  const asked: Database[] = [];
  const rows = await readLists(CALLER, async (database) => {
    asked.push(database);
    return (await sql`SELECT 1 AS one`.execute(database)).rows;
  });
  expect(rows).toEqual([{ one: 1 }]);
  expect(asked).toEqual([replica.database, primary]);
  await expect(readLists(CALLER, () => Promise.reject(new TypeError('wrong')))).rejects.toThrow('wrong');
});
