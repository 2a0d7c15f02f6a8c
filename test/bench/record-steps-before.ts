import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Lane } from '#analytics/clickhouse/port.ts';
import type { ChunkInBatch } from '#ingest/pipeline/batch.ts';
import { type PackedRecords, packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import { createRecentIds } from '#ingest/pipeline/recent-ids.ts';
import type { LaneState } from '#ingest/pipeline/record-steps.ts';
import { fleetRecord } from './fleet-events.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

/** Checkout whose steps are the baseline. */
const BEFORE = process.env.BENCH_BEFORE;
const OURS = path.resolve(import.meta.dirname, '../..');
/** Records of a turn: one batch. */
const RECORDS = 32_768;
const CHUNK_RECORDS = 512;
const ROUNDS = 22;
/** Turns in which V8 compiles, which are not counted. */
const WARM_UP = 6;
const LIMITS = { maxBytes: 1024 * 1024 };
const LANE: Lane = { topic: 'bench', partition: 0 };

type RecordText = (index: number) => Buffer;

const PROCESS = (index: number): string =>
  `"process":{"executable":"/usr/lib/service-${index % 20}","build_id":"b1946ac92492d234${index % 20}","uid":33,` +
  `"unit":"service-${index % 20}.service","container":{"id":"c0ffee${index % 200}"}}`;

const STREAMS: Readonly<Record<string, RecordText>> = {
  'fleet of the pipeline benchmark': (index) => fleetRecord(index).value,
  'addresses above 2^53': (index) => fleetRecord(index, true).value,
  'process facts in each event': (index) =>
    Buffer.from(
      fleetRecord(index)
        .value.toString()
        .replace(/\}\}$/, `,${PROCESS(index)}}}`),
    ),
  'non-ASCII letters in every second event': (index) => {
    const { value } = fleetRecord(index);
    return index % 2 === 0 ? Buffer.from(value.toString().replace('edge-', 'é-')) : value;
  },
};

/**
 * Measures the processor time of all steps of a record, decode to encode with the rules, as a multiple of those of
 * another checkout (`BENCH_BEFORE`). The sides alternate in turns of one batch, in one process.
 */
export async function benchRecordStepsBefore(): Promise<BenchRow[]> {
  if (BEFORE === undefined) throw new Error('BENCH_BEFORE must name the checkout to compare with');
  const rows: BenchRow[] = [];
  for (const [name, recordText] of Object.entries(STREAMS)) {
    const sides = await Promise.all([OURS, path.resolve(BEFORE)].map(createSide));
    const costs = sides.map(() => [] as number[]);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const at of sides.keys()) {
        const turn = (at + round) % sides.length;
        const micros = sides[turn]?.(packRound(round, recordText)) ?? Number.NaN;
        if (round >= WARM_UP) costs[turn]?.push(micros / RECORDS);
      }
    }
    const [ours = [], before = []] = costs;
    rows.push(ratioRow(`record steps: ${name}`, 'µs', median(ours), median(before), null));
  }
  return rows;
}

function packRound(round: number, recordText: RecordText): PackedRecords[] {
  return Array.from({ length: RECORDS / CHUNK_RECORDS }, (_, chunk) => {
    const records = Array.from({ length: CHUNK_RECORDS }, (_, i) => {
      const offset = round * RECORDS + chunk * CHUNK_RECORDS + i;
      return { offset, key: null, value: recordText(offset), ingestId: '' };
    });
    const pool = { take: (bytes: number) => Buffer.from(new SharedArrayBuffer(bytes)), release: () => {} };
    return readPacked(packRecords(records, pool), pool.release);
  });
}

/** Loads the steps of a checkout. Returns a function that runs a turn and returns its processor time in microseconds. */
async function createSide(checkout: string): Promise<(chunks: readonly PackedRecords[]) => number> {
  const load = (file: string) => import(pathToFileURL(path.join(checkout, file)).href);
  const { createEventBlocks } = await load('analytics/clickhouse/event-block.ts');
  const { DEFAULT_DETECTION_SETTINGS } = await load('analytics/detections/settings.ts');
  const { createTracker } = await load('analytics/detections/tracker.ts');
  const { createValidateStep } = await load('ingest/pipeline/validate.ts');
  const { createRecordSteps } = await load('ingest/pipeline/record-steps.ts');
  const validate = createValidateStep({ signalDialect: 'v1' });
  // Older checkouts have no decoder.
  const decoder =
    validate.shapes && (await load('analytics/event-decoder/decoder.ts')).createEventDecoder(validate.shapes);
  const metrics = { step: () => {}, dropped: () => {}, dead: () => {} };
  const takeIn = createRecordSteps({ limits: LIMITS, validate, decoder, judgeSchemaId: () => undefined }, metrics);
  const openBlock = createEventBlocks();
  const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  const state = { lane: LANE, recentIds: createRecentIds(1), landedIds: new Set(), tracker } as unknown as LaneState;
  return (chunks) => {
    const start = process.cpuUsage();
    const events = openBlock(LANE, 1);
    for (const records of chunks) {
      const part = { accepted: 0, rejected: [], rejectedTotal: 0 } as unknown as ChunkInBatch;
      for (let i = 0; i < records.length; i += 1) takeIn(records, i, records.offset(i), { events }, part, state);
      if (part.rejectedTotal > 0) throw new Error('the benchmark feeds valid events only');
    }
    tracker.drain();
    if (events.bytes === 0) throw new Error('the block is empty');
    const { user, system } = process.cpuUsage(start);
    events.release();
    return user + system;
  };
}
