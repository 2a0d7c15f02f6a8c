/** Thrown if the shards in `CLICKHOUSE_URL` do not match the stored data. Permanent: a retry does not help. */
export class WrongShards extends Error {
  override readonly name = 'WrongShards';
}
