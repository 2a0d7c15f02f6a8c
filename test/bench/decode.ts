import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import { fleetRecord } from './fleet-events.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

/** Records of a round: far more than the processor caches hold, with the hosts and programs of a fleet. */
const RECORDS = 40_000;
const ROUNDS = 11;
/** Warm-up rounds, for the compiler. */
const WARM_UP = 3;
const DRAIN_EVERY = 4096;
const LIMITS = { maxBytes: 1024 * 1024 };

/**
 * Compares the pipeline's work on a record before landing, on one core, with `toString` and `JSON.parse` on the same
 * buffers. Fleet events of about 530 bytes, with ordinary addresses and with all addresses above 2^53. The sides
 * alternate and medians count, so that a slower machine slows both. The tracker keeps its state between rounds, as in a
 * lane.
 */
export async function benchDecode(): Promise<BenchRow[]> {
  return [...measure('ordinary addresses', false, 0.4), ...measure('every address above 2^53', true, 0.15)];
}

function measure(name: string, huge: boolean, target: number): BenchRow[] {
  const records = Array.from({ length: RECORDS }, (_, index) => fleetRecord(index, huge).value);
  const validate = createValidateStep({ signalDialect: 'v1' });
  const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  const read = (record: Buffer) => {
    const decoded = decodeRecord(record, LIMITS);
    const accepted = decoded.ok ? validate(decoded.payload) : decoded;
    if (!accepted.ok) throw new Error(`the benchmark feeds valid events only: ${accepted.message}`);
    return accepted;
  };
  const sides = {
    parse: () => {
      for (const record of records) JSON.parse(record.toString('utf8'));
    },
    validated: () => {
      for (const record of records) read(record);
    },
    derived: () => {
      let undrained = 0;
      for (const record of records) {
        tracker.feed(read(record));
        undrained += 1;
        if (undrained % DRAIN_EVERY === 0) tracker.drain();
      }
      tracker.drain();
    },
  };
  const times = { parse: [] as number[], validated: [] as number[], derived: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of ['parse', 'validated', 'derived'] as const) times[side].push(timed(sides[side]));
  }
  const rate = (list: readonly number[]) => (RECORDS / median(list.slice(WARM_UP))) * 1000;
  const row = (steps: string, list: readonly number[], least: number | null) =>
    ratioRow(`${steps}, ${name}`, 'events/s', rate(list), rate(times.parse), least);
  return [row('decode + validate + derive', times.derived, target), row('decode + validate', times.validated, null)];
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
