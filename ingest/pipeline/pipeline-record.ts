/** A record on its way in, before it is decoded. */
export interface PipelineRecord {
  /** Kafka's offset, or `COUNTED` when the lane counts offsets itself (sources that never were in Kafka). */
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Chosen by the sender to identify repeats; empty when not given. */
  readonly ingestId: string;
}

export const COUNTED = -1;

/** Fixed memory cost of a record besides its bytes; keeps floods of tiny records inside the byte limits. */
export const RECORD_OVERHEAD_BYTES = 128;

/** Memory a set of records is accounted with. */
export function bytesOf(records: readonly PipelineRecord[]): number {
  let bytes = 0;
  for (const { key, value, ingestId } of records) {
    bytes += (value?.length ?? 0) + (key?.length ?? 0) + ingestId.length + RECORD_OVERHEAD_BYTES;
  }
  return bytes;
}
