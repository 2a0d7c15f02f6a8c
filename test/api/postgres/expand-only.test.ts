import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '#api/postgres/migrations/migrate.ts';
import { compareVersions, oldestVersionFor } from '#schemas/migration-name.ts';
import { breakingStatements } from '#test/support/expand-only.ts';
import { filesOfRelease, lastRelease } from '#test/support/last-release.ts';

test('migrations since the last release only add, or name the oldest compatible version', async () => {
  const release = await lastRelease();
  const released = new Set(await filesOfRelease(release, 'api/postgres/migrations'));
  expect(released).toContain('0001-accounts.ts');
  for (const [name, { up }] of Object.entries(MIGRATIONS)) {
    if (released.has(`${name}.ts`)) continue;
    const statements: string[] = [];
    await up(recorder(statements));
    const oldest = oldestVersionFor(name);
    // A process of the last release keeps running while the new release migrates.
    if (oldest !== undefined) expect(compareVersions(oldest, release.version), name).toBeLessThanOrEqual(0);
    else expect(breakingStatements(statements), name).toEqual([]);
  }
});

/** A database that records statements and executes none. */
function recorder(statements: string[]): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
}
