import { type RawBuilder, sql } from 'kysely';

/** Lane of the operator: executions without an owner. */
export const OPERATOR_LANE = '00000000-0000-0000-0000-000000000000';

/**
 * Fair queueing: a new execution is placed after its owner's queued executions, but not before the head of the queue.
 * An owner with ten thousand queued executions and an owner with one alternate until the second queue is empty.
 */
export function positionOfNew(lane: RawBuilder<unknown>, priority: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`greatest(
    coalesce((
      SELECT last.turn + 1 FROM executions AS last
      WHERE last.status = 'pending' AND last.lane = ${lane} AND last.priority = ${priority} ORDER BY last.turn DESC LIMIT 1
    ), 0),
    ${headPosition(priority)}
  )`;
}

/**
 * Queue position of a resumed execution: the head of the queue. Started executions precede new ones, except those that
 * have waited longer at the same position. If several are resumed together, `among` numbers those of the same owner
 * from 0.
 */
export function positionOfResumed(
  priority: RawBuilder<unknown>,
  among: RawBuilder<unknown> = sql`0`,
): RawBuilder<number> {
  return sql<number>`${headPosition(priority)} + ${among}`;
}

function headPosition(priority: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((
    SELECT next.turn FROM executions AS next
    WHERE next.status = 'pending' AND next.priority = ${priority} ORDER BY next.turn LIMIT 1
  ), 0)`;
}
