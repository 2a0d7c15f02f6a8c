import { HEADERS } from '#schemas/topics.ts';
import type { KafkaRecord } from '../kafka/port.ts';
import type { PipelineRecord } from './pipeline-record.ts';
import { type RecordTrace, tracesOf } from './record-traces.ts';

/** Processing this many records takes a few milliseconds; then other lanes and sockets are served. */
const CHUNK_RECORDS = 512;

export interface KafkaChunk {
  readonly records: readonly PipelineRecord[];
  readonly traces: readonly RecordTrace[] | undefined;
}

/** Splits records of one partition into chunks. `traced`: also reads trace headers. */
export function chunksOf(records: readonly KafkaRecord[], traced: boolean): KafkaChunk[] {
  const chunks: KafkaChunk[] = [];
  for (let from = 0; from < records.length; from += CHUNK_RECORDS) {
    const chunk: PipelineRecord[] = [];
    const to = Math.min(from + CHUNK_RECORDS, records.length);
    for (let at = from; at < to; at++) chunk.push(toPipelineRecord(records[at] as KafkaRecord));
    chunks.push({ records: chunk, traces: traced ? tracesOf(records, from, to) : undefined });
  }
  return chunks;
}

function toPipelineRecord({ offset, key, value, headers }: KafkaRecord): PipelineRecord {
  const id = headers[HEADERS.ingestId];
  const ingestId = id === undefined ? '' : String(Array.isArray(id) ? id[0] : id);
  return { offset, key, value, ingestId };
}
