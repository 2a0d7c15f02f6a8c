import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Audit } from '#api/audit/port.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import type { SealedColumn } from '#api/postgres/sealed-column.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { createSeal, sealHeads } from './seal.ts';

type Secrets = readonly [string, ...string[]];

/** Rows that are encrypted again in one transaction. They are locked until it ends. */
const BATCH_ROWS = 200;
/** Maximum number of unreadable rows of a column that are named. */
const MAX_NAMED = 10;

/** How many values of a column the secrets can decrypt. */
export interface SealedCounts {
  readonly values: string;
  /** Encrypted with the first secret. */
  readonly current: number;
  /** Encrypted with one of the other secrets. */
  readonly older: number;
  /** Encrypted with another secret. */
  readonly unknown: number;
}

export interface Resealed {
  readonly values: string;
  /** Number of values that were encrypted again. */
  readonly resealed: number;
  /** Number of values that none of the secrets decrypts. They stay as they are. */
  readonly unreadableCount: number;
  /** Their keys, up to `MAX_NAMED`. */
  readonly unreadable: readonly string[];
}

/** Counts the values of each column by the secret that encrypted them. Decrypts nothing. */
export async function countSealed(
  db: Db,
  columns: readonly SealedColumn[],
  secrets: Secrets,
): Promise<readonly SealedCounts[]> {
  const { current, older } = sealHeads(secrets);
  return Promise.all(
    columns.map(async ({ values, table, column }) => {
      const head = headOf(column);
      const { rows } = await sql<{ current: number; older: number; unknown: number }>`
        SELECT count(*) FILTER (WHERE ${head} = ${current})::int AS current,
               count(*) FILTER (WHERE ${head} = ANY (${[...older]}) AND ${head} <> ${current})::int AS older,
               count(*) FILTER (WHERE ${head} <> ALL (${[current, ...older]}))::int AS unknown
          FROM ${sql.table(table)} WHERE ${sql.ref(column)} IS NOT NULL`.execute(db);
      return { values, ...(rows[0] ?? { current: 0, older: 0, unknown: 0 }) };
    }),
  );
}

/**
 * Encrypts the values of the columns with the first secret that another one encrypted. It may run while the service
 * runs, and again after an interruption. Each batch of rows has an audit entry.
 */
export async function reseal(
  { database, audit }: { readonly database: Database; readonly audit: Audit },
  columns: readonly SealedColumn[],
  secrets: Secrets,
): Promise<readonly Resealed[]> {
  const results: Resealed[] = [];
  for (const column of columns) {
    let resealed = 0;
    const unreadable: string[] = [];
    let after: readonly string[] | undefined;
    do {
      const batch = await inTransaction(database, async (transaction) => {
        const done = await resealBatch(transaction, column, { secrets, after });
        if (done.resealed > 0) await audit.record(transaction, entry(column, done.resealed));
        return done;
      });
      resealed += batch.resealed;
      unreadable.push(...batch.unreadable);
      after = batch.last;
    } while (after !== undefined);
    results.push({
      values: column.values,
      resealed,
      unreadableCount: unreadable.length,
      unreadable: unreadable.slice(0, MAX_NAMED),
    });
  }
  return results;
}

/** Encrypts the rows after the key `after` again. `last` is the key of the last row, undefined at the end. */
async function resealBatch(
  transaction: Db,
  { table, column, key, contextOf }: SealedColumn,
  { secrets, after }: { readonly secrets: Secrets; readonly after: readonly string[] | undefined },
): Promise<{ readonly resealed: number; readonly unreadable: string[]; readonly last: readonly string[] | undefined }> {
  const { seal, open } = createSeal(secrets);
  const keys = sql.join(key.map((name) => sql.ref(name)));
  const texts = sql.join(key.map((name) => sql`${sql.ref(name)}::text`));
  const from = after === undefined ? sql`true` : sql`(${keys}) > (${sql.join(after)})`;
  const { rows } = await sql<{ key: string[]; sealed: Buffer }>`
    SELECT ARRAY[${texts}] AS key, ${sql.ref(column)} AS sealed
      FROM ${sql.table(table)}
     WHERE ${sql.ref(column)} IS NOT NULL AND ${headOf(column)} <> ${sealHeads(secrets).current} AND ${from}
     ORDER BY ${keys} LIMIT ${BATCH_ROWS} FOR UPDATE`.execute(transaction);
  const unreadable: string[] = [];
  let resealed = 0;
  for (const row of rows) {
    const text = open(row.sealed, contextOf(row.key));
    if (text === undefined) {
      unreadable.push(row.key.join('/'));
      continue;
    }
    await sql`
      UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${seal(text, contextOf(row.key))}
       WHERE (${keys}) = (${sql.join(row.key)})`.execute(transaction);
    resealed += 1;
  }
  return { resealed, unreadable, last: rows.length < BATCH_ROWS ? undefined : rows.at(-1)?.key };
}

/** The bytes of a value that name the version of its format and its secret. */
function headOf(column: string) {
  return sql`substring(${sql.ref(column)} FROM 1 FOR 5)`;
}

function entry({ table, column }: SealedColumn, count: number) {
  return {
    actor: 'operator',
    target: `sealed-column:${table}.${column}`,
    action: 'secret.reseal',
    diff: { count: { after: count } },
    origin: { ip: '127.0.0.1', userAgent: 'trapline', requestId: randomUUID() },
  } as const;
}
