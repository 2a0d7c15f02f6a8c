import type { ClickHouse, Replicas } from './client.ts';
import { ClickHouseFailure } from './failure.ts';

/** Timeout of a replica. A replica that does not respond in time does not count towards a majority. */
const MAJORITY_TIMEOUT_MS = 5_000;

/** Returns true if the server has the row. */
export type Holds = (server: ClickHouse, signal: AbortSignal) => Promise<boolean>;

/**
 * Rejects with a temporary failure unless a majority of the table's replicas has the row. `replicas` must be those of
 * `clickhouse`.
 */
export async function requireMajority(
  clickhouse: ClickHouse,
  replicas: Replicas,
  table: string,
  holds: Holds,
): Promise<void> {
  const total = await countReplicas(clickhouse, table);
  const needed = Math.floor(total / 2) + 1;
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(MAJORITY_TIMEOUT_MS)]);
  const answers = replicas.all.map(({ clickhouse: server }) => holds(server, signal).catch(() => false));
  const isEnough = await reaches(answers, needed);
  ended.abort();
  if (total === 0 || !isEnough) throw missingRows(`confirm a row of ${table}`, 'ROWS_WITHOUT_QUORUM');
}

/** Returns the number of replicas of a table, including unavailable ones. 0 if the keeper cannot be reached. */
export async function countReplicas(clickhouse: ClickHouse, table: string): Promise<number> {
  const [row] = await clickhouse.rows<{ total: number }>(
    'count the replicas',
    'SELECT total_replicas AS total FROM system.replicas WHERE database = {database:String} AND table = {table:String}',
    { params: { database: clickhouse.database, table } },
  );
  return row?.total ?? 0;
}

/** Returns the temporary failure for rows that are not on enough replicas yet. */
export function missingRows(operation: string, code: 'ROWS_WITHOUT_QUORUM' | 'ROWS_NOT_VISIBLE'): ClickHouseFailure {
  return new ClickHouseFailure(
    operation,
    Object.assign(new Error('the rows are not on enough replicas yet'), { code }),
  );
}

/**
 * Resolves with true as soon as `needed` of the results are true. Resolves with false as soon as that is impossible.
 */
async function reaches(answers: readonly Promise<boolean>[], needed: number): Promise<boolean> {
  let positive = 0;
  return new Promise((resolve) => {
    for (const answer of answers)
      void answer.then((isTrue) => {
        if (isTrue && ++positive === needed) resolve(true);
      });
    void Promise.all(answers).then(() => resolve(positive >= needed));
  });
}
