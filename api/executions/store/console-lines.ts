import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { LogLine } from '../sandbox/port.ts';

/** A line that a script wrote to `console`. */
export interface ConsoleLine extends LogLine {
  readonly executionId: string;
  readonly step: string;
  readonly at: Date;
}

/**
 * Appends lines to the traces of their executions, in order. Like all writers of traces, it locks the rows of the
 * executions first. Otherwise an entry could become visible after a reader has passed its number, and the reader would
 * miss it.
 */
export async function insertConsoleLines(database: Database, lines: readonly ConsoleLine[]): Promise<void> {
  const ids = [...new Set(lines.map(({ executionId }) => executionId))].toSorted();
  await inTransaction(database, async (transaction) => {
    await sql`/* prepared: lock-executions */
      SELECT FROM executions WHERE id = ANY (${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`.execute(transaction);
    await sql`/* prepared: insert-console-lines */
      INSERT INTO execution_lines (execution_id, seq, step, level, text, at)
      SELECT l.id, nextval('execution_trace_seq'), l.step, l.level, l.text, l.at
      FROM unnest(${lines.map(({ executionId }) => executionId)}::text[], ${lines.map(({ step }) => step)}::text[],
        ${lines.map(({ level }) => level)}::text[], ${lines.map(({ text }) => text)}::text[],
        ${lines.map(({ at }) => at.toISOString())}::timestamptz[]) WITH ORDINALITY AS l (id, step, level, text, at, place)
      WHERE EXISTS (SELECT FROM executions WHERE id = l.id) ORDER BY l.place`.execute(transaction);
  });
}
