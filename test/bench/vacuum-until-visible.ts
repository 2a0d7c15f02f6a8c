import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';
import { waitFor } from '../support/wait-for.ts';

/**
 * Vacuums until all pages are marked all-visible, as on a server after some time. One vacuum is not enough while
 * autovacuum processes the table, because its snapshot keeps recent rows from being all-visible.
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
