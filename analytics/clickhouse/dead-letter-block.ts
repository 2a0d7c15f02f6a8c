import { createBlockBuilders } from './block-builder.ts';
import type { DeadLetterBlockBuilder, DeadLetterRow, Lane } from './port.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';

/** Returns a function that opens blocks of rejected records. `receivedMs` (epoch) is stored in each row. */
export function createDeadLetterBlocks(): (lane: Lane, receivedMs: number) => DeadLetterBlockBuilder {
  const open = createBlockBuilders(deadLetterRecordsTable);
  return ({ topic, partition }, receivedMs) => {
    const builder = open({ topic, partition }, receivedMs);
    const append = ({ offset, rejection: { code, path, message }, raw, key, ingestId }: DeadLetterRow): void => {
      builder.add(offset, { topic, partition, offset, receivedMs, code, path, message, ingestId, key, raw });
    };
    return Object.assign(builder, { append });
  };
}
