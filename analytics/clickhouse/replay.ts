import type { ClickHouse } from './client.ts';
import { ClickHouseFailure } from './failure.ts';
import type { Lane } from './port.ts';
import { eventsTable } from './tables/events.ts';

/**
 * Yields the JSON texts of a lane's stored events with `after < offset <= upTo`, in offset order, in batches as they
 * arrive. The buffers are views into the response chunks. If a fenced writer stored rows twice, each offset is yielded
 * once.
 */
export async function* replayEvents(
  clickhouse: ClickHouse,
  lane: Lane,
  after: number,
  upTo: number,
): AsyncGenerator<readonly Buffer[]> {
  if (upTo <= after) return;
  const query = `SELECT offset, raw FROM ${clickhouse.table(eventsTable.name)}
    WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset >= {first:UInt64} AND offset <= {upTo:UInt64}
    ORDER BY offset FORMAT RowBinary`;
  const params = {
    ...lane,
    first: after + 1,
    upTo,
  };
  const settings = { optimize_read_in_order: 1, max_block_size: '8192' } as const;

  let rest: Buffer | undefined;
  let last = -1;
  for await (const chunk of clickhouse.bytes('replay events', query, { params, settings })) {
    const bytes: Buffer = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    const batch: Buffer[] = [];
    let at = 0;
    for (;;) {
      const row = readRow(bytes, at);
      if (row === undefined) break;
      // If the server fails midway, its error message follows instead of a row. The first bytes of the message are no
      // offset in the range.
      if (row.offset < last || row.offset <= after || row.offset > upTo) throw cutOff();
      if (row.offset !== last) batch.push(bytes.subarray(row.start, row.end));
      last = row.offset;
      at = row.end;
    }
    rest = at < bytes.length ? bytes.subarray(at) : undefined;
    if (batch.length > 0) yield batch;
  }
  if (rest !== undefined) throw cutOff();
}

/**
 * Returns the failure of a response that ended early: the server is shutting down, out of memory or killed. It is
 * temporary, like any lost connection.
 */
function cutOff(): ClickHouseFailure {
  const error = new Error('the answer ended before its last row');
  return new ClickHouseFailure('replay events', Object.assign(error, { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
}

/** Reads a row: a UInt64 (eight bytes), then a String (a varint and the text). Undefined if the row is incomplete. */
function readRow(bytes: Buffer, at: number): { offset: number; start: number; end: number } | undefined {
  let start = at + 8;
  let length = 0;
  let factor = 1;
  for (;;) {
    if (start >= bytes.length) return undefined;
    const byte = bytes[start++] as number;
    length += (byte & 127) * factor;
    if (byte < 128) break;
    factor *= 128;
  }
  const end = start + length;
  if (end > bytes.length) return undefined;
  return { offset: bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 4_294_967_296, start, end };
}
