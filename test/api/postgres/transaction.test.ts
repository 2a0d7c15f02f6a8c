import { beforeAll, expect, test } from 'vitest';
import type { Database } from '#api/postgres/database.ts';
import { afterCommit, beforeCommit, inTransaction } from '#api/postgres/transaction.ts';
import { usePostgres } from '#test/support/use-services.ts';

let database: Database;
beforeAll(async () => {
  ({ database } = await usePostgres());
});

const countView = (db: Parameters<typeof beforeCommit>[0], slug: string) =>
  db.insertInto('pageViews').values({ slug, views: 1 }).execute();
const views = () => database.selectFrom('pageViews').select('slug').orderBy('slug').execute();

test('calls listeners after the commit is visible to others, in order of registration', async () => {
  const heard: string[] = [];
  let seen: Promise<{ slug: string }[]> | undefined;
  const result = await inTransaction(database, async (transaction, after) => {
    after(() => {
      heard.push('first');
      seen = views();
    });
    await countView(transaction, 'committed');
    afterCommit(transaction, () => heard.push('second'));
    beforeCommit(transaction, async () => {
      heard.push('last query');
      await countView(transaction, 'late');
    });
    expect(heard).toEqual([]);
    return 7;
  });
  expect(result).toBe(7);
  expect(heard).toEqual(['last query', 'first', 'second']);
  expect(await seen).toEqual([{ slug: 'committed' }, { slug: 'late' }]);
});

test('calls no listener for a transaction that failed, in its work or just before the commit', async () => {
  const heard: string[] = [];
  const fail = async () => {
    throw new Error('no');
  };
  const inWork = inTransaction(database, async (_transaction, after) => {
    after(() => heard.push('in work'));
    await fail();
  });
  await expect(inWork).rejects.toThrow('no');
  const before = inTransaction(database, async (transaction, after) => {
    after(() => heard.push('before'));
    await countView(transaction, 'never');
    beforeCommit(transaction, fail);
  });
  await expect(before).rejects.toThrow('no');
  expect(heard).toEqual([]);
  expect(await views()).not.toContainEqual({ slug: 'never' });
});

test('rejects a foreign or missing transaction', async () => {
  expect(() => afterCommit(database, () => {})).toThrow('inTransaction');
  await database.transaction().execute(async (transaction) => {
    expect(() => afterCommit(transaction, () => {})).toThrow('inTransaction');
  });
});
