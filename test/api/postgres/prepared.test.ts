import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { url } = await usePostgres({ migrated: false });

test('prepares a marked statement once per connection, and an unmarked one never', async () => {
  const database = createDatabase({ url, connections: 1 });
  onTestFinished(() => database.destroy());
  for (const value of [1, 2]) {
    const { rows } = await sql<{ value: number }>`/* prepared: add-one */ SELECT ${value}::int + 1 AS value`.execute(
      database,
    );
    expect(rows).toEqual([{ value: value + 1 }]);
    await sql`SELECT ${value}::int`.execute(database);
  }
  const prepared = await sql`SELECT name, calls::int FROM (
    SELECT name, generic_plans + custom_plans AS calls FROM pg_prepared_statements) AS statements`.execute(database);
  expect(prepared.rows).toEqual([{ name: 'add-one', calls: 2 }]);
});
