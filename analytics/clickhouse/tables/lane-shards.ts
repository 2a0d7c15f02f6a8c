import { name } from '../native/low-cardinality.ts';
import { text, uint64 } from '../native/scalars.ts';
import { column, type Table } from '../table.ts';

export interface LaneShardRow {
  readonly topic: string;
  readonly partition: number;
  /** The macro `{shard}` of its servers. */
  readonly shard: string;
}
type Row = LaneShardRow;

/**
 * The shard of each lane of a cluster, recorded once, in the home shard. If a lane has several rows, which is possible
 * only after its token expired, the oldest wins.
 */
export const laneShardsTable: Table<Row> = {
  name: 'lane_shards',
  columns: [
    column('topic', name, (r: Row) => r.topic),
    column('partition', uint64, (r: Row) => r.partition),
    column('shard', text, (r: Row) => r.shard),
  ],
};
