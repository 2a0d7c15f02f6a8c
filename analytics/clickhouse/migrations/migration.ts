import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ClickHouse } from '../client.ts';
import { ClickHouseFailure } from '../failure.ts';
import { quoted } from '../table.ts';

/**
 * One numbered step: an SQL file in this folder. It may run twice, and in two processes at the same time, and must leave the same result:
 * every statement is an `IF NOT EXISTS`, a `CREATE OR REPLACE` or a setting. A released file never changes: its first line is the hash of
 * the rest.
 */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Text of the file. */
  readonly sql: string;
}

/** One statement of a migration, with the database's name filled in. */
export interface Statement {
  readonly sql: string;
  /** Code of the server error that leaves this statement out, from a line `-- ignore error CODE`. */
  readonly ignoredError?: string;
}

/** The SQL files in this folder. Throws when one is not named `<number>-<name>.sql`, or a number is missing or used twice. */
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
  const [, number, name] = /^(\d{4})-([a-z-]+)\.sql$/.exec(file) ?? [];
  if (number === undefined || name === undefined)
    throw new Error(`the migration ${file} must be named <four digits>-<name>.sql`);
  return { number: Number(number), name, sql: readFileSync(new URL(file, import.meta.url), 'utf8') };
}

/** First line of a migration: the hash of all that follows it. The first migration is older and has none. */
export function hashLine(sql: string): string {
  const text = sql.replace(/^-- sha256 [0-9a-f]{64}\n/, '');
  return `-- sha256 ${createHash('sha256').update(text).digest('hex')}`;
}

/** The statements of a migration in order. A statement ends with a semicolon at the end of a line. */
export function statementsOf({ sql }: Migration, database: string): Statement[] {
  return sql
    .split(/;$/m)
    .map((text) => {
      const ignoredError = /^-- ignore error (\d+)$/m.exec(text)?.[1];
      const statement = text
        .replace(/^--.*$/gm, '')
        .trim()
        .replaceAll('{database}', quoted(database));
      return { sql: statement, ...(ignoredError === undefined ? {} : { ignoredError }) };
    })
    .filter((statement) => statement.sql !== '');
}

/** Runs the statements of a migration one after the other. Rejects with the `ClickHouseFailure` of the first that fails. */
export async function runMigration(clickhouse: ClickHouse, migration: Migration): Promise<void> {
  for (const { sql, ignoredError } of statementsOf(migration, clickhouse.database)) {
    try {
      await clickhouse.command(`run the migration ${migration.name}`, sql, {
        settings: { allow_experimental_statistics: 1 },
      });
    } catch (error) {
      if (!(error instanceof ClickHouseFailure && error.code === ignoredError)) throw error;
    }
  }
}
