import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { KeptPayload } from '../payloads/keep-payload.ts';
import { INLINE_BYTES } from '../payloads/port.ts';
import { WAITS } from './admissions.ts';
import type { Gather } from './start-limits.ts';

/** A start that may merge into a waiting execution. */
export interface GatheredStart {
  readonly versionId: string;
  readonly input: KeptPayload;
  /** Length of its causal chain. */
  readonly causation: number;
}

export interface Merged {
  readonly id: string;
  /** A payload file that no row refers to any more. */
  readonly replacedFile: string | null;
}

/**
 * Merges a start into the waiting execution with the same key. Returns undefined if none waits or it is full. A batch
 * only accepts starts of its own version, because its version may not understand other inputs. The transaction must
 * hold the lock of `lockAdmissions`.
 */
export async function mergeStart(transaction: Db, gather: Gather, start: GatheredStart): Promise<Merged | undefined> {
  const open = await sql<{ id: string; merged: number; bytes: number }>`
    SELECT execution_id AS id, merged, merged_bytes AS bytes FROM execution_admissions
    WHERE merge_key = ${gather.mergeKey} AND gathers = ${gather.kind} AND ${WAITS} AND not_before > clock_timestamp()
      AND (gathers = 'debounce' OR EXISTS (SELECT FROM executions AS e WHERE e.id = execution_id AND e.version_id = ${start.versionId}))
    ORDER BY seq DESC LIMIT 1`.execute(transaction);
  const found = open.rows[0];
  if (found === undefined) return undefined;
  const locked = await sql<{ file: string | null }>`
    SELECT trigger_input_file AS file FROM executions WHERE id = ${found.id} AND status = 'created' FOR NO KEY UPDATE`.execute(
    transaction,
  );
  const before = locked.rows[0];
  if (before === undefined) return undefined;
  if (gather.kind === 'debounce') {
    await replaceInput(transaction, found.id, gather, start);
    return { id: found.id, replacedFile: before.file };
  }
  // A batch whose first input is in a file accepts no more starts, because its list would be split between file and
  // rows.
  if (before.file !== null) return undefined;
  const elements = elementsOf(start.input);
  const bytes = found.bytes + Buffer.byteLength(elements ?? '');
  if (elements === undefined || bytes > INLINE_BYTES) return undefined;
  await addElements(transaction, found, gather, { elements, causation: start.causation });
  return { id: found.id, replacedFile: null };
}

async function replaceInput(transaction: Db, id: string, gather: Gather, start: GatheredStart): Promise<void> {
  const { versionId, input, causation } = start;
  await sql`
    UPDATE executions SET trigger_input = ${input.json}::json, trigger_input_file = ${input.file}, version_id = ${versionId},
      causation = greatest(causation, ${causation}::smallint)
    WHERE id = ${id}`.execute(transaction);
  await sql`
    WITH later AS (
      SELECT execution_id, least(clock_timestamp() + ${ms(gather.periodMs)}, created_at + ${ms(gather.maxDelayMs)}) AS at
      FROM execution_admissions WHERE execution_id = ${id}
    )
    UPDATE execution_admissions AS a SET merged = merged + 1, not_before = later.at, retry_at = later.at
    FROM later WHERE a.execution_id = later.execution_id`.execute(transaction);
}

async function addElements(
  transaction: Db,
  { id, merged }: { readonly id: string; readonly merged: number },
  { max }: Gather,
  { elements, causation }: { readonly elements: string; readonly causation: number },
): Promise<void> {
  // The first start is not counted in `merged`.
  const full = merged + 2 >= max;
  await insertElements(transaction, id, elements);
  if (causation > 0)
    await sql`UPDATE executions SET causation = greatest(causation, ${causation}::smallint) WHERE id = ${id}`.execute(
      transaction,
    );
  await sql`
    UPDATE execution_admissions SET merged = merged + 1, merged_bytes = merged_bytes + ${Buffer.byteLength(elements)}::int,
      not_before = CASE WHEN ${full}::boolean THEN clock_timestamp() ELSE not_before END,
      retry_at = CASE WHEN ${full}::boolean THEN clock_timestamp() ELSE retry_at END
    WHERE execution_id = ${id}`.execute(transaction);
}

/** Appends elements to the input of a batch. They become its list on admission. */
export async function insertElements(transaction: Db, executionId: string, elements: string): Promise<void> {
  await sql`INSERT INTO execution_batch_items (execution_id, elements) VALUES (${executionId}, ${elements})`.execute(
    transaction,
  );
}

/** Returns the elements of a list as JSON without the brackets. Returns undefined if the list is empty or in a file. */
export function elementsOf({ json }: KeptPayload): string | undefined {
  const elements = json?.slice(1, -1);
  return elements === undefined || elements === '' ? undefined : elements;
}

export const ms = (milliseconds: number) => sql`(${milliseconds}::float8 * interval '1 millisecond')`;
