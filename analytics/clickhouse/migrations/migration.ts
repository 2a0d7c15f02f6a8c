import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ClickHouse } from '../client.ts';
import { ClickHouseFailure } from '../failure.ts';
import { quoted } from '../table.ts';

/**
 * One numbered step: an SQL file in this folder. It must be idempotent, also when two processes run it concurrently:
 * every statement is an `IF NOT EXISTS`, a `CREATE OR REPLACE` or a setting. A released file never changes: its first
 * line is the hash of the rest.
 */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Content of the file. */
  readonly sql: string;
}

/** One statement of a migration, with the database name inserted. */
export interface Statement {
  readonly sql: string;
  /** Server error code that skips this statement, from a line `-- ignore error CODE`. */
  readonly ignoredError?: string;
}

/**
 * Reads the SQL files in this folder. Throws if a file is not named `<number>-<name>.sql`, or if a number is missing or
 * duplicate.
 */
export function readMigrations(): readonly Migration[] {
  const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.sql'));
  return files.sort().map((file, index) => {
    const migration = readMigration(file);
    if (migration.number !== index + 1)
      throw new Error(`the migration ${file} must have the number ${index + 1}: numbers are gapless and used once`);
    return migration;
  });
}

function readMigration(file: string): Migration {
  const [, number, name] = /^(\d{4})-([a-z][a-z\d-]*)\.sql$/.exec(file) ?? [];
  if (number === undefined || name === undefined)
    throw new Error(`the migration ${file} must be named <four digits>-<name>.sql`);
  return { number: Number(number), name, sql: readFileSync(new URL(file, import.meta.url), 'utf8') };
}

/**
 * Returns the first line of a migration: the hash of the following text. The first migration predates this and has
 * none.
 */
export function hashLine(sql: string): string {
  const text = sql.replace(/^-- sha256 [0-9a-f]{64}\n/, '');
  return `-- sha256 ${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Returns the statements of a migration in order. A statement ends with a semicolon at the end of a line. With
 * `replicated`, the statements create the tables of a cluster from the same text.
 */
export function statementsOf({ sql }: Migration, database: string, replicated = false): Statement[] {
  return sql
    .split(/;$/m)
    .map((text) => {
      const ignoredError = /^-- ignore error (\d+)$/m.exec(text)?.[1];
      const statement = text
        .replace(/^--.*$/gm, '')
        .trim()
        .replaceAll('{database}', quoted(database));
      return {
        sql: replicated ? onReplicas(statement) : statement,
        ...(ignoredError === undefined ? {} : { ignoredError }),
      };
    })
    .filter((statement) => statement.sql !== '');
}

/**
 * Returns the statement with a replicated engine. A replica that returns after a crash may have parts that no other
 * replica knows. The server sets them aside, whatever their share of the table (`replicated_max_ratio_of_wrong_parts`).
 * With the default of this setting, a small table would stay read-only.
 */
export function onReplicas(statement: string): string {
  if (!/^CREATE TABLE\b/.test(statement)) return statement;
  const replicated = statement.replace(/^(\s*ENGINE = )(\w*MergeTree\b)/m, '$1Replicated$2');
  const setting = 'replicated_max_ratio_of_wrong_parts = 1';
  return /^SETTINGS\s/m.test(replicated)
    ? replicated.replace(/^SETTINGS\s/m, `SETTINGS ${setting}, `)
    : `${replicated}\nSETTINGS ${setting}`;
}

/** Runs the statements of a migration in order. Rejects with the `ClickHouseFailure` of the first one that fails. */
export async function runMigration(clickhouse: ClickHouse, migration: Migration): Promise<void> {
  const { database, replicas } = clickhouse;
  for (const { sql, ignoredError } of statementsOf(migration, database, replicas !== undefined)) {
    try {
      await clickhouse.command(`run the migration ${migration.name}`, sql, {
        settings: { allow_experimental_statistics: 1 },
      });
    } catch (error) {
      if (!(error instanceof ClickHouseFailure && error.code === ignoredError)) throw error;
    }
  }
}
