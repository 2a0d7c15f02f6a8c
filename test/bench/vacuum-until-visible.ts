import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';
import { waitFor } from '../support/wait-for.ts';

/**
 * Vacuums until all pages are known to be visible to everybody, as those of a server are that has had the time. One vacuum is not enough while the server
 * looks through the table by itself: what that still sees is not visible to all.
 */
export async function vacuumUntilVisible(database: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await waitFor(
      `${table} to be visible`,
      async () => {
        await sql`VACUUM ANALYZE ${sql.table(table)}`.execute(database);
        const { rows } = await sql<{ hidden: number }>`
          SELECT relpages - relallvisible AS hidden FROM pg_class WHERE oid = ${table}::regclass`.execute(database);
        return rows[0]?.hidden === 0;
      },
      { timeoutMs: 300_000, everyMs: 1_000 },
    );
}
