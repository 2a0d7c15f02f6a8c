/**
 * Reads answers to Fetch requests, versions 12 to 17, from one contiguous buffer. Keys and values are parts of that buffer, without copies.
 * The library's own reader costs twice the processor time (two arrays and a BigInt a field), and it rejects a whole answer when
 * one partition of it has an error.
 */

export interface FetchedPartition {
  /** Name of the topic in version 12, its id from version 13. */
  readonly topic: string;
  readonly partition: number;
  /** Code of the broker; 0 for none. */
  readonly error: number;
  readonly highWatermark: number;
  readonly logStart: number;
  /** Producers whose transactions were aborted, and the first offset of each such transaction. */
  readonly aborted: readonly { readonly producerId: bigint; readonly firstOffset: number }[];
  /** Record batches as they are on the wire. The last one may be cut off. */
  readonly batches: Buffer;
}

export interface FetchAnswer {
  /** Code of the broker for the whole request; 0 for none. */
  readonly error: number;
  readonly partitions: readonly FetchedPartition[];
}

/** @param body of the response, after its header. */
export function readFetchAnswer(body: Buffer, version: number): FetchAnswer {
  const from = new Cursor(body);
  from.at += 4; // Throttle time.
  const error = from.int16();
  from.at += 4; // Session.
  const partitions: FetchedPartition[] = [];
  for (let topics = from.length(); topics > 0; topics--) {
    const topic = version >= 13 ? from.uuid() : from.text();
    for (let left = from.length(); left > 0; left--) partitions.push(readPartition(from, topic));
    from.skipTags();
  }
  return { error, partitions };
}

function readPartition(from: Cursor, topic: string): FetchedPartition {
  const partition = from.int32();
  const error = from.int16();
  const highWatermark = from.int64();
  from.at += 8; // Last stable offset.
  const logStart = from.int64();
  const aborted: { producerId: bigint; firstOffset: number }[] = [];
  for (let left = from.length(); left > 0; left--) {
    aborted.push({ producerId: from.bigInt64(), firstOffset: from.int64() });
    from.skipTags();
  }
  from.at += 4; // Preferred replica.
  const batches = from.bytes(Math.max(0, from.length()));
  from.skipTags();
  return { topic, partition, error, highWatermark, logStart, aborted, batches };
}

/** A position in a buffer. Lengths of the flexible versions are one more than they say, zero for null. */
class Cursor {
  readonly #buffer: Buffer;
  at = 0;
  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }
  int16(): number {
    this.at += 2;
    return this.#buffer.readInt16BE(this.at - 2);
  }
  int32(): number {
    this.at += 4;
    return this.#buffer.readInt32BE(this.at - 4);
  }
  /** Exact: offsets stay far below 2^53. */
  int64(): number {
    return Number(this.bigInt64());
  }
  bigInt64(): bigint {
    this.at += 8;
    return this.#buffer.readBigInt64BE(this.at - 8);
  }
  unsigned(): number {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = this.#buffer.readUInt8(this.at++);
      value += (byte & 0x7f) * scale;
      scale *= 128;
    } while (byte > 0x7f);
    return value;
  }
  length(): number {
    return this.unsigned() - 1;
  }
  bytes(length: number): Buffer {
    this.at += length;
    return this.#buffer.subarray(this.at - length, this.at);
  }
  text(): string {
    return this.bytes(Math.max(0, this.length())).toString('utf8');
  }
  uuid(): string {
    const hex = this.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
  skipTags(): void {
    for (let left = this.unsigned(); left > 0; left--) {
      this.unsigned();
      const length = this.unsigned();
      this.at += length;
    }
  }
}
