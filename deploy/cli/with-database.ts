import { createDatabase, type Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { CommandError } from './command-error.ts';

/** Runs `work` with the database of a command, over one connection. Rejects with `CommandError` if it cannot be reached. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ url, connections: 1 });
  try {
    return await work(database);
  } catch (error) {
    if (isDatabaseUnavailable(error))
      throw new CommandError('PostgreSQL cannot be reached: check DATABASE_URL and the server');
    throw error;
  } finally {
    await database.destroy();
  }
}
