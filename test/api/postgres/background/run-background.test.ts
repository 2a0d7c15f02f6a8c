import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { BackgroundMigration } from '#api/postgres/background/background-migration.ts';
import { listBackgroundStates } from '#api/postgres/background/background-states.ts';
import { runBackgroundMigrations } from '#api/postgres/background/run-background.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { judgeBackground } from '#deploy/doctor/judge-background.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { url, database } = await usePostgres();
await sql`CREATE TABLE numbers AS SELECT n, NULL::bigint AS doubled FROM generate_series(1, 100) AS n`.execute(
  database,
);

const BATCH = 10;
/** Doubles numbers in batches. */
function doubling(name: string, beforeStep: (cursor: string | null) => void = () => {}): BackgroundMigration {
  return {
    name,
    async total(db) {
      const { rows } = await sql<{ rows: number }>`SELECT count(*) AS rows FROM numbers`.execute(db);
      return rows[0]?.rows ?? 0;
    },
    async step(db, cursor) {
      beforeStep(cursor);
      const { rows } = await sql<{ n: number }>`
        UPDATE numbers SET doubled = 2 * n WHERE n IN (SELECT n FROM numbers WHERE n > ${Number(cursor ?? 0)} ORDER BY n LIMIT ${BATCH})
        RETURNING n`.execute(db);
      const last = Math.max(...rows.map(({ n }) => n));
      return { changed: rows.length, cursor: rows.length < BATCH ? null : String(last) };
    },
  };
}

const stateOf = async (name: string) => (await listBackgroundStates(database)).find((state) => state.name === name);
const goOn = new AbortController().signal;

test('a stopped migration continues from its last step, reports its progress, and runs once', async () => {
  const stopped = new AbortController();
  const steps: (string | null)[] = [];
  const migration = doubling('9001-double', (cursor) => {
    steps.push(cursor);
    if (cursor === '20') throw new Error('the process ends');
    if (cursor === '40') stopped.abort();
  });
  await expect(runBackgroundMigrations(database, [migration], goOn)).rejects.toThrow('the process ends');
  const state = await stateOf('9001-double');
  expect(state).toMatchObject({ total: 100, changed: 20, cursor: '20', finishedAt: null });
  expect(judgeBackground(['9001-double', '9002-later'], state === undefined ? [] : [state])).toMatchObject({
    state: 'look',
    found: expect.stringMatching(/^9002-later: not started; 9001-double: 20 % \(20 of 100 rows\), last step at /),
  });
  const afterwards = doubling('9001-double', (cursor) => {
    steps.push(cursor);
    if (cursor === '40') stopped.abort();
  });
  expect(await runBackgroundMigrations(database, [afterwards], stopped.signal)).toEqual({ finished: [] });
  expect(await runBackgroundMigrations(database, [afterwards], goOn)).toEqual({ finished: ['9001-double'] });
  expect(await runBackgroundMigrations(database, [afterwards], goOn)).toEqual({ finished: [] });
  expect(steps).toEqual([null, '10', '20', '20', '30', '40', '50', '60', '70', '80', '90', '100']);
  const done = await stateOf('9001-double');
  expect(done).toMatchObject({ changed: 100, cursor: null, finishedAt: expect.any(Date) });
  expect(judgeBackground(['9001-double'], done === undefined ? [] : [done])).toMatchObject({ state: 'fine' });
  const { rows } = await sql`SELECT n FROM numbers WHERE doubled IS DISTINCT FROM 2 * n`.execute(database);
  expect(rows).toEqual([]);
});

test('two concurrent processes count no row twice', async () => {
  const other = createDatabase({ url });
  onTestFinished(() => other.destroy());
  const migration = doubling('9003-twice');
  const both = await Promise.all([database, other].map((db) => runBackgroundMigrations(db, [migration], goOn)));
  const rest = await runBackgroundMigrations(database, [migration], goOn);
  expect([...both, rest].flatMap(({ finished }) => finished)).toEqual(['9003-twice']);
  expect(await stateOf('9003-twice')).toMatchObject({ total: 100, changed: 100, cursor: null });
});
