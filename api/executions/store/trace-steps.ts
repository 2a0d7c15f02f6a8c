import { type RawBuilder, sql } from 'kysely';
import type { StepWrite } from './execution-write.ts';
import { columnOf, executionsOf, type Part, partColumn } from './write-columns.ts';

/**
 * Returns the part of the statement that writes the steps. It joins `moved`, the executions that the statement changed.
 *
 * Assigns `began` and `changed` in the order of the clock of the write. A step that began and ended within one write
 * began before its inner steps and changed after them. The sequence is read once for all rows; each row has the
 * positions of its two numbers among them.
 */
export function traceSteps(steps: readonly Part<StepWrite>[]): RawBuilder<unknown> {
  const moments = steps.flatMap(({ of: { begun, changed } }, row) => [
    { tick: begun, place: 2 * row },
    { tick: changed, place: 2 * row + 1 },
  ]);
  const numbers = new Int32Array(moments.length);
  for (const [at, { place }] of moments.sort((one, other) => one.tick - other.tick).entries()) numbers[place] = at + 1;
  const rows = steps.map((_, row) => ({ begun: numbers[2 * row] ?? 0, changed: numbers[2 * row + 1] ?? 0 }));
  return sql`
    WITH drawn AS MATERIALIZED (
      SELECT array_agg(nextval('execution_trace_seq')) AS seqs FROM generate_series(1, ${moments.length}::int)
    )
    INSERT INTO execution_steps (execution_id, step, attempt, name, kind, status, input, input_file, output, output_file, error,
      started_at, ended_at, began, changed)
    SELECT s.id, s.step, s.attempt, s.name, s.kind, s.status, s.input::json, s.input_file, s.output::json, s.output_file, s.error::json,
      s.started_at, s.ended_at, drawn.seqs[s.begun], drawn.seqs[s.changed]
    FROM unnest(${executionsOf(steps)}::text[], ${partColumn(steps, 'step')}::text[], ${partColumn(steps, 'attempt')}::int[],
      ${partColumn(steps, 'name')}::text[], ${partColumn(steps, 'kind')}::text[], ${partColumn(steps, 'status')}::text[],
      ${partColumn(steps, 'input')}::text[], ${partColumn(steps, 'inputFile')}::text[], ${partColumn(steps, 'output')}::text[],
      ${partColumn(steps, 'outputFile')}::text[], ${partColumn(steps, 'error')}::text[], ${partColumn(steps, 'startedAt')}::timestamptz[],
      ${partColumn(steps, 'endedAt')}::timestamptz[], ${columnOf(rows, 'begun')}::int[], ${columnOf(rows, 'changed')}::int[])
      AS s (id, step, attempt, name, kind, status, input, input_file, output, output_file, error, started_at, ended_at, begun, changed)
    JOIN moved ON moved.id = s.id CROSS JOIN drawn
    ON CONFLICT (execution_id, step, attempt) DO UPDATE
    SET status = excluded.status, changed = excluded.changed, ended_at = excluded.ended_at,
      input = coalesce(excluded.input, execution_steps.input), input_file = coalesce(excluded.input_file, execution_steps.input_file),
      output = excluded.output, output_file = excluded.output_file, error = excluded.error`;
}
