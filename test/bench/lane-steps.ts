import { createEventBlocks } from '#analytics/clickhouse/event-block.ts';
import type { EventBlockBuilder } from '#analytics/clickhouse/port.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { DecodedRows } from '#analytics/event-decoder/decoded-rows.ts';
import { createEventDecoder, type EventDecoder } from '#analytics/event-decoder/decoder.ts';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { createMemoryPool } from '#ingest/pipeline/memory-pool.ts';
import { type PackedRecords, packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import { createValidateStep, type Validate } from '#ingest/pipeline/validate.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { fleetRecord } from './fleet-events.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median } from './statistics.ts';

/** Records of a turn: one batch. */
const RECORDS = 32_768;
/** As many as the decoder decodes at once, so that the steps can alternate. */
const CHUNK_RECORDS = 256;
const ROUNDS = 12;
/** Turns in which V8 compiles, which are not counted. */
const WARM_UP = 4;
const POOL_BYTES = 64 * 1024 * 1024;
const LIMITS = { maxBytes: 1024 * 1024 };
const LANE = { topic: 'bench', partition: 0 };

/** Processor time of each step in a turn, in microseconds. */
interface Sums {
  pack: number;
  read: number;
  derive: number;
  encode: number;
}

/**
 * Measures the processor time an event of each step between the Kafka client and the insert, without stores. Includes
 * garbage collection. The steps alternate chunk by chunk, so that memory holds no more than in a lane.
 */
export async function benchLaneSteps(): Promise<BenchRow[]> {
  const turn = createTurn();
  const turns: Sums[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sums: Sums = { pack: 0, read: 0, derive: 0, encode: 0 };
    turn(round, sums);
    turns.push(sums);
  }
  const row = (name: string, step: keyof Sums) => {
    const micros = turns.slice(WARM_UP).map((sums) => sums[step] / RECORDS);
    return boundRow(`lane: ${name}, processor time an event`, 'µs', median(micros), null);
  };
  return [row('pack', 'pack'), row('decode and validate', 'read'), row('derive', 'derive'), row('encode', 'encode')];
}

/**
 * Returns a function that runs one turn. The lane keeps its state between turns. Each turn has new events, because the
 * rules skip repeated events.
 */
function createTurn(): (round: number, sums: Sums) => void {
  const pool = createMemoryPool(POOL_BYTES);
  const validate = createValidateStep({ signalDialect: 'v1' });
  const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  const decoder = createEventDecoder(validate.shapes);
  const openBlock = createEventBlocks();

  return (round, sums) => {
    const block = openBlock(LANE, Date.now());
    const held: PackedRecords[] = [];
    for (let from = 0; from < RECORDS; from += CHUNK_RECORDS) {
      const records = Array.from({ length: CHUNK_RECORDS }, (_, i) => recordOf(round * RECORDS + from + i));
      const chunk = timed(sums, 'pack', () => readPacked(packRecords(records, pool), pool.release));
      held.push(chunk);
      const events = timed(sums, 'read', () => readAll(chunk, decoder, validate));
      timed(sums, 'derive', () => {
        for (const { accepted } of events) tracker.feed(accepted);
      });
      timed(sums, 'encode', () => appendAll(chunk, events, block));
    }
    timed(sums, 'derive', () => tracker.drain());
    timed(sums, 'encode', () => block.bytes);
    block.release();
    for (const chunk of held) chunk.release();
  };
}

interface ReadRecord {
  readonly accepted: AcceptedEvent;
  readonly rows: DecodedRows | undefined;
  readonly row: number;
}

function readAll(chunk: PackedRecords, decoder: EventDecoder, validate: Validate): ReadRecord[] {
  return Array.from({ length: chunk.length }, (_, i) => {
    const known = decoder.read(chunk, i);
    if (known !== undefined) return { accepted: known, rows: decoder.rows(), row: decoder.row() };
    const decoded = decodeRecord(chunk.value(i), LIMITS);
    const accepted = decoded.ok ? validate(decoded.payload) : decoded;
    if (!accepted.ok) throw new Error(`the benchmark feeds valid events only: ${accepted.message}`);
    return { accepted, rows: undefined, row: 0 };
  });
}

function appendAll(chunk: PackedRecords, events: readonly ReadRecord[], block: EventBlockBuilder): void {
  for (const [i, { accepted, rows, row }] of events.entries()) {
    const stored = { offset: chunk.offset(i), raw: chunk.stored(i), ingestId: '' };
    if (rows === undefined) block.append({ ...stored, accepted });
    else block.appendDecoded(rows, row, stored);
  }
}

function recordOf(offset: number) {
  const { key, value } = fleetRecord(offset);
  return { offset, key: Buffer.from(key), value, ingestId: '' };
}

/** Runs `work` and adds its processor time on all threads. */
function timed<Result>(sums: Sums, step: keyof Sums, work: () => Result): Result {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  sums[step] += user + system;
  return result;
}
