import { type RawBuilder, sql } from 'kysely';

/** Whose executions have no owner: the operator's. */
export const OPERATOR_LANE = '00000000-0000-0000-0000-000000000000';

/**
 * Fair queueing: a new execution is placed after its owner's queued executions, and not before the head of the queue. So of an owner with ten thousand and one
 * with a single one, each has every second turn until the latter is through.
 */
export function turnOfNew(lane: RawBuilder<unknown>, priority: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`greatest(
    coalesce((
      SELECT last.turn + 1 FROM executions AS last
      WHERE last.status = 'pending' AND last.lane = ${lane} AND last.priority = ${priority} ORDER BY last.turn DESC LIMIT 1
    ), 0),
    ${turnOfNext(priority)}
  )`;
}

/**
 * The queue position of an execution that continues: the head of the queue. Started executions go before new ones, except those that have waited longer at the same
 * turn. Where many wake at once, `among` counts those of the same owner from 0.
 */
export function turnOfWoken(priority: RawBuilder<unknown>, among: RawBuilder<unknown> = sql`0`): RawBuilder<number> {
  return sql<number>`${turnOfNext(priority)} + ${among}`;
}

function turnOfNext(priority: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((
    SELECT next.turn FROM executions AS next
    WHERE next.status = 'pending' AND next.priority = ${priority} ORDER BY next.turn LIMIT 1
  ), 0)`;
}
