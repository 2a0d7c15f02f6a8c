/** A record before it is decoded. */
export interface PipelineRecord {
  /** The Kafka offset, or `COUNTED` if the lane assigns offsets (for sources other than Kafka). */
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Set by the sender to identify repeats; empty if not set. */
  readonly ingestId: string;
}

export const COUNTED = -1;

/** Fixed memory overhead per record, so that many tiny records do not exceed the byte limits. */
export const RECORD_OVERHEAD_BYTES = 128;

/** Returns the accounted memory of records. */
export function bytesOf(records: readonly PipelineRecord[]): number {
  let bytes = 0;
  for (const { key, value, ingestId } of records) {
    bytes += (value?.length ?? 0) + (key?.length ?? 0) + ingestId.length + RECORD_OVERHEAD_BYTES;
  }
  return bytes;
}
