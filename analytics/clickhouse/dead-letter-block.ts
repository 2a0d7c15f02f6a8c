import { createBlockBuilder } from './block-builder.ts';
import type { DeadLetterBlockBuilder, DeadLetterRow, Lane } from './port.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';

/** A block of refused records; `receivedMs` (epoch) stands in each. */
export function openDeadLetterBlock({ topic, partition }: Lane, receivedMs: number): DeadLetterBlockBuilder {
  const builder = createBlockBuilder({ topic, partition }, deadLetterRecordsTable, receivedMs);
  const append = ({ offset, rejection: { code, path, message }, raw, key, ingestId }: DeadLetterRow): void => {
    builder.add(offset, { topic, partition, offset, receivedMs, code, path, message, ingestId, key, raw });
  };
  return Object.assign(builder, { append });
}
