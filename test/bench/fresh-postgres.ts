import { createDatabase, type Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { startPostgres } from '../support/services/postgres.ts';

/**
 * Runs `use` with a new migrated PostgreSQL server, and stops the server afterwards. The time limit of a statement is
 * long enough to fill a table.
 */
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
