import { createDatabase, type Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { startPostgres } from '../support/services/postgres.ts';

/** Gives `use` a migrated PostgreSQL server of its own, where a statement may take as long as filling a table does, and ends it afterwards. */
export async function withFreshPostgres<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const postgres = await startPostgres();
  const database = createDatabase({ url: postgres.url, statementTimeoutMs: 600_000 });
  try {
    await migrateDatabase(database);
    return await use(database);
  } finally {
    await database.destroy();
    await postgres.stop();
  }
}
