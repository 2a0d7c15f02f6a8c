import { HEADERS } from '#schemas/topics.ts';
import type { KafkaRecord } from '../kafka/port.ts';
import type { PipelineRecord } from './pipeline-record.ts';
import { type RecordTrace, tracesOf } from './record-traces.ts';

/** Taking in so many takes some milliseconds; then other lanes and sockets have their turn. */
const CHUNK_RECORDS = 512;

export interface KafkaChunk {
  readonly records: readonly PipelineRecord[];
  readonly traces: readonly RecordTrace[] | undefined;
}

/** Records of one partition as the pipeline takes them, cut into chunks. `traced`: headers with traces are looked for. */
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
