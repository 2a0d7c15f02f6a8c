/** The shards in `CLICKHOUSE_URL` do not fit what is stored. Waiting does not help. */
export class WrongShards extends Error {
  override readonly name = 'WrongShards';
}
