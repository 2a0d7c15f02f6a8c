import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { EventRow } from '#analytics/clickhouse/port.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { temporaryFolder } from '../support/services/temporary-folder.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

const BLOCK = 50_000;
const ROUNDS = 7;

/**
 * Measures inserts of 50,000 kernel traps of about 500 bytes into the table `events` of a new engine, against inserts
 * of the same rows as JSONEachRow into a copy of the table. Reports medians of alternating rounds.
 */
export function benchLanding(): Promise<BenchRow[]> {
  return temporaryFolder('bench', async (dataDir) => {
    const engine = await startClickHouseEngine({ dataDir, memoryMiB: 2048 });
    const clickhouse = createClickHouse({ ...engine, database: 'bench' });
    try {
      await migrate(clickhouse);
      return await measure(clickhouse);
    } finally {
      await clickhouse.close();
      await engine.stop();
    }
  });
}

async function measure(clickhouse: ClickHouse): Promise<BenchRow[]> {
  const copy = clickhouse.table('events_by_lines');
  await clickhouse.command('copy the table', `CREATE TABLE ${copy} AS ${clickhouse.table(eventsTable.name)}`);
  const store = createLandingStore({ clickhouse });
  const lane = { topic: 'bench', partition: 0 };
  const rows = Array.from({ length: BLOCK }, (_, i) => trap(i));
  const times = { encode: [] as number[], land: [] as number[], write: [] as number[], lines: [] as number[] };
  let mark = -1;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    const block = store.openEvents(lane, Date.now());
    for (const [i, row] of rows.entries()) block.append({ ...row, offset: mark + 1 + i });
    const encoded = performance.now();
    const { outcome } = await store.landEvents(block, mark);
    if (outcome !== 'landed') throw new Error(`a block was ${outcome}`);
    mark = block.lastOffset;
    const landed = performance.now();
    const lines = Buffer.from(rows.map((row, i) => JSON.stringify(columnsOf(row, mark - BLOCK + 1 + i))).join('\n'));
    const written = performance.now();
    await clickhouse.insert('insert lines', `INSERT INTO ${copy} FORMAT JSONEachRow`, [lines], {
      // The same setting as for a landing block, so that the inserts differ only in their format.
      settings: { exclude_materialize_skip_indexes_on_insert: (eventsTable.notAtLanding ?? []).join(', ') },
    });
    times.encode.push(encoded - begun);
    times.land.push(landed - encoded);
    times.write.push(written - landed);
    times.lines.push(performance.now() - written);
  }
  const readFrom = performance.now();
  let replayed = 0;
  for await (const batch of store.replay(lane, -1, mark)) replayed += batch.length;
  const replay = (performance.now() - readFrom) / ROUNDS;
  if (replayed !== ROUNDS * BLOCK) throw new Error(`${replayed} of ${ROUNDS * BLOCK} events were read back`);
  return [
    row('landing: encode a block', times.encode, rate(times.write), 300_000),
    row('landing: insert a block and read its mark back', times.land, rate(times.lines), 150_000),
    row('landing: replay of landed events', [replay], 400_000, 400_000),
  ];
}

/** Returns the rows a second of the median round. */
function rate(times: readonly number[]): number {
  return (BLOCK * 1000) / median(times);
}

/** Returns a row whose target is the absolute rate `wanted`, expressed as a ratio to the baseline. */
function row(name: string, times: readonly number[], baseline: number, wanted: number): BenchRow {
  return ratioRow(name, 'events/s', rate(times), baseline, wanted / baseline);
}

/** Returns a kernel trap of about 500 bytes, at offset 0. */
export function trap(i: number): EventRow {
  const event = {
    version: 'V1',
    timestamp: '2026-02-02T02:40:00.123456789Z',
    hostname: `host-${i % 977}.example.com`,
    event: {
      type: 'LinuxKernelTrap',
      errcode: {
        access_mode: 'User',
        access_type: 'Read',
        instruction_fetch: false,
        protection_keys_block_access: false,
        reason: 'NoPageFound',
        use_of_reserved_bit: false,
      },
      facility: 'Kern',
      level: 'Info',
      ip: 94_577_000_000_000 + ((i * 7_919) % 1e9),
      sp: 140_737_000_000_000 + ((i * 104_729) % 1e9),
      pid: 1_000 + (i % 32_768),
      procname: `proc${i % 313}`,
      file: `lib${i % 97}.so`,
      vmastart: 94_577_000_000_000,
      vmasize: 409_600,
      trap: { type: 'Segfault', location: (i * 7_919) % 1e9 },
    },
  } satisfies EventV1;
  const raw = Buffer.from(JSON.stringify(event));
  return {
    offset: 0,
    accepted: { ok: true, event, time: { seconds: 1_770_000_000 + (i >> 10), nanos: 123_456_789 } },
    raw,
    ingestId: '',
  };
}

/** Returns the columns of a row as an object for JSONEachRow. */
function columnsOf({ accepted: { event, time }, raw }: EventRow, offset: number): object {
  const { event: fields } = event;
  if (fields.type !== 'LinuxKernelTrap') throw new TypeError('the benchmark is made of kernel traps');
  return {
    landing_day: '2026-02-02',
    topic: 'bench',
    partition: 0,
    offset,
    received: '2026-02-02 02:40:00.000',
    timestamp: `${time.seconds}.${time.nanos}`,
    hostname: event.hostname,
    type: fields.type,
    procname: fields.procname,
    pid: fields.pid,
    ip: fields.ip,
    sp: fields.sp,
    file: fields.file,
    vmastart: fields.vmastart,
    vmasize: fields.vmasize,
    trap: fields.trap.type,
    location: fields.trap.type === 'Segfault' ? fields.trap.location : null,
    level: fields.level,
    facility: fields.facility,
    ingest_id: '',
    raw: raw.toString('utf8'),
  };
}
