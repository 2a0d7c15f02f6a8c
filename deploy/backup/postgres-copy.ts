import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { connectToPrimary } from '#api/postgres/primary.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Manifest } from './manifest.ts';

type PostgresPart = Manifest['postgres'];
type TablePart = PostgresPart['tables'][number];

/** Tables of the migration runner. A restore fills them by running the migrations. */
const RUNNER_TABLES = ['kysely_migration', 'kysely_migration_lock'];
const NEWLINE = 10;

export interface PostgresExport extends PostgresPart {
  /** Written files, by table. */
  readonly files: readonly string[];
}

/**
 * Writes all tables into files from one snapshot of the database (REPEATABLE READ), which excludes later commits. Works
 * with any account that may read the tables, and needs no PostgreSQL program. `opened` is called when the snapshot is
 * taken, before anything is read.
 */
export async function exportTables(
  url: string,
  options: {
    readonly fileOf: (table: string) => string;
    readonly opened: () => Promise<void>;
    /** Called with the fraction of tables that are written, 0 to 1. */
    readonly progress: (share: number) => void;
  },
): Promise<PostgresExport> {
  return withClient(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: views } = await client.query<{ at: Date; server: string }>(
      "SELECT transaction_timestamp() AS at, current_setting('server_version') AS server",
    );
    if (!(await exists(client, 'audit_head')))
      throw new CommandError('the PostgreSQL database has no tables of Trapline: run `trapline migrate`');
    const { rows: migrations } = await client.query<{ name: string }>(
      'SELECT name FROM kysely_migration ORDER BY name',
    );
    await options.opened();
    const tables: TablePart[] = [];
    const files: string[] = [];
    const found = await tableColumns(client);
    for (const [name, columns] of found) {
      const file = options.fileOf(name);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const rows = await exportTable(client, { name, columns }, file);
      tables.push({ name, columns: [...columns], rows });
      files.push(file);
      options.progress(tables.length / found.size);
    }
    const sequences = await sequenceValues(client);
    const { rows: heads } = await client.query<{ id: string; hash: string }>(
      "SELECT id::text, encode(hash, 'hex') AS hash FROM audit_head",
    );
    await client.query('COMMIT');
    return {
      server: views[0]?.server ?? '',
      snapshotAt: (views[0]?.at ?? new Date()).toISOString(),
      migrations: migrations.map(({ name }) => name),
      tables,
      sequences,
      audit: { entries: Number(heads[0]?.id ?? 0), head: heads[0]?.hash ?? '' },
      files,
    };
  });
}

/**
 * Fills the tables of a database whose migrations have run, in one transaction. Rejects without a change if the tables
 * or row counts differ from those of the backup. Triggers do not run, because their results are in the tables.
 */
export async function importTables(
  url: string,
  { tables, sequences }: Pick<PostgresPart, 'tables' | 'sequences'>,
  options: { readonly fileOf: (table: string) => string; readonly progress: (share: number) => void },
): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    const found = await tableColumns(client);
    requireSameTables(tables, found);
    const references = await foreignKeys(client);
    const withheld = await withheldPrivileges(client);
    for (const { table, name } of references) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    for (const { table, privilege } of withheld) await client.query(`GRANT ${privilege} ON ${table} TO CURRENT_USER`);
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    await client.query(`TRUNCATE ${tables.map(({ name }) => quoted(name)).join(', ')}`);
    for (const [index, table] of tables.entries()) {
      const rows = await importTable(client, table, options.fileOf(table.name));
      if (rows !== table.rows)
        throw new CommandError(`${table.name}: ${rows} rows restored, ${table.rows} in the backup`);
      options.progress((index + 1) / tables.length);
    }
    for (const { name, value } of sequences) await client.query('SELECT setval($1::regclass, $2)', [name, value]);
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    for (const { table, privilege } of withheld)
      await client.query(`REVOKE ${privilege} ON ${table} FROM CURRENT_USER`);
    for (const { table, name, definition } of references)
      await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
    await client.query('COMMIT');
  });
}

/** Counts the rows of each table. */
export async function countRows(url: string, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  return withClient(url, async (client) => {
    const counts = new Map<string, number>();
    for (const name of tables) {
      const { rows } = await client.query<{ rows: string }>(`SELECT count(*)::text AS rows FROM ${quoted(name)}`);
      counts.set(name, Number(rows[0]?.rows));
    }
    return counts;
  });
}

/** Returns true if Trapline has been used with the database: it has accounts or audit entries. */
export async function holdsAccounts(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    for (const name of ['users', 'audit_log']) {
      if (!(await exists(client, name))) continue;
      if ((await client.query(`SELECT 1 FROM ${quoted(name)} LIMIT 1`)).rows.length > 0) return true;
    }
    return false;
  });
}

/** Returns the number of connections of Trapline processes to the database. */
export async function connectionsInUse(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ connections: number }>(
      "SELECT count(*)::int AS connections FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trapline'",
    );
    return rows[0]?.connections ?? 0;
  });
}

/** Drops the tables and functions that migrations created, so that migrations can run again up to another one. */
export async function dropTables(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    const names = [...(await tableColumns(client)).keys(), ...RUNNER_TABLES];
    await client.query(`DROP TABLE IF EXISTS ${names.map(quoted).join(', ')} CASCADE`);
    const { rows: sequences } = await client.query<{ name: string }>(`
      SELECT oid::regclass::text AS name FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'`);
    for (const { name } of sequences) await client.query(`DROP SEQUENCE ${name} CASCADE`);
    const { rows } = await client.query<{ name: string }>(`
      SELECT p.oid::regprocedure::text AS name FROM pg_proc p
      WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind IN ('f', 'p')
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`);
    for (const { name } of rows) await client.query(`DROP ROUTINE ${name} CASCADE`);
    await client.query('COMMIT');
  });
}

async function exists(client: Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1)::text AS found', [table]);
  return rows[0]?.found != null;
}

async function exportTable(
  client: Client,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  file: string,
): Promise<number> {
  let rows = 0;
  // In the text format, a line break within a value is written as
  // , so each line is a row.
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
      done(null, chunk);
    },
  });
  const copy = client.query(copyTo(`COPY (SELECT ${list(columns)} FROM ${quoted(name)}) TO STDOUT`));
  await pipeline(
    copy,
    counting,
    createGzip({ level: 1 }),
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return rows;
}

async function importTable(client: Client, { name, columns }: TablePart, file: string): Promise<number> {
  const copy = client.query(copyFrom(`COPY ${quoted(name)} (${list(columns)}) FROM STDIN`));
  await pipeline(createReadStream(file), createGunzip(), copy);
  return copy.rowCount ?? 0;
}

/** Returns the tables of the schema with their columns, except computed columns. */
async function tableColumns(client: Client): Promise<Map<string, readonly string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname <> ALL ($1)
     GROUP BY c.relname ORDER BY c.relname`,
    [RUNNER_TABLES],
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

function requireSameTables(tables: readonly TablePart[], found: ReadonlyMap<string, readonly string[]>): void {
  const shape = (name: string, columns: readonly string[]) => `${name} (${[...columns].sort().join(', ')})`;
  const expected = tables.map(({ name, columns }) => shape(name, columns)).sort();
  const actual = [...found].map(([name, columns]) => shape(name, columns)).sort();
  const different = [
    ...expected.filter((one) => !actual.includes(one)),
    ...actual.filter((one) => !expected.includes(one)),
  ];
  if (different.length > 0)
    throw new CommandError(`the tables of the backup and of this version differ: ${different.join('; ')}`);
}

async function foreignKeys(client: Client): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname`);
  return rows;
}

/**
 * Returns the privileges on its own tables that migrations revoked from the account to make the audit log append-only.
 */
async function withheldPrivileges(client: Client): Promise<{ table: string; privilege: string }[]> {
  const { rows } = await client.query<{ table: string; privilege: string }>(`
    SELECT c.oid::regclass::text AS table, privilege
    FROM pg_class c CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS privilege
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND NOT has_table_privilege(c.oid, privilege)`);
  return rows;
}

/**
 * Returns the values of used sequences. Must be read after the tables, so that no value is used twice after a restore.
 */
async function sequenceValues(client: Client): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    SELECT quote_ident(sequencename) AS name, last_value::text AS value FROM pg_sequences
    WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`);
  return rows;
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const settings = { application_name: 'trapline backup', connectionTimeoutMillis: 10_000 };
  const client = await connectToPrimary(url, settings).catch((error: Error) => {
    throw new CommandError(`PostgreSQL cannot be reached (${error.message}): check DATABASE_URL and the server`);
  });
  let broken: Error | undefined;
  client.on('error', (error) => {
    broken = error;
  });
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('SET idle_in_transaction_session_timeout = 0');
    return await work(client);
  } catch (error) {
    throw broken ?? error;
  } finally {
    await client.end().catch(() => {});
  }
}

function list(columns: readonly string[]): string {
  return columns.map(quoted).join(', ');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
