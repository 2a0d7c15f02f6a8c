import { readdirSync } from 'node:fs';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { type ApiProcess, withApiProcess } from './api-process.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { generateEvents } from './generated-events.ts';
import { currentMemoryMiB, peakMemoryMiB } from './processes.ts';
import { type BenchRow, boundRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

const MAX_MIB = 400;

/**
 * Measures the export of all events over HTTP. NDJSON alternates with a JSONEachRow query of the same rows in
 * ClickHouse itself. CEF is measured once, in a separate API process, because the API has to parse and format each
 * event.
 */
export async function benchExport({ clickHouse, stored, rounds, progress }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, async (clickhouse) => {
    await generateEvents(clickhouse, stored, progress);
    const lines = await withApiProcess(clickHouse, clickhouse.database, (api) =>
      measureExport(api, clickhouse, { stored, rounds, progress }),
    );
    const read = await withApiProcess(clickHouse, clickhouse.database, async (api) => {
      const { memory, rate } = await watched(api, 'cef', stored);
      return memoryRow(api, `export: ${stored.toLocaleString('en-US')} events as CEF`, memory, rate);
    });
    return [...lines, read];
  });
}

async function measureExport(
  api: ApiProcess,
  clickhouse: ClickHouse,
  { stored, rounds, progress }: Pick<BenchContext, 'stored' | 'rounds' | 'progress'>,
): Promise<BenchRow[]> {
  const rates = { api: [] as number[], server: [] as number[] };
  const memory: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const exported = await watched(api, 'ndjson', stored);
    memory.push(...exported.memory);
    rates.api.push(exported.rate);
    rates.server.push(await rateOf(byServer(clickhouse), stored));
    progress(`export: ${rates.api.at(-1)?.toFixed(0)} against ${rates.server.at(-1)?.toFixed(0)} events/s`);
  }
  const name = `export: ${stored.toLocaleString('en-US')} events as NDJSON`;
  return [
    ratioRow(
      `${name}, against ClickHouse writing them itself`,
      'events/s',
      median(rates.api),
      median(rates.server),
      0.5,
    ),
    memoryRow(api, name, memory, median(rates.api)),
  ];
}

/** Runs an export. Returns its events a second, and the resident memory in MiB, read every second. */
async function watched(api: ApiProcess, format: string, stored: number): Promise<{ rate: number; memory: number[] }> {
  const memory: number[] = [];
  const looking = setInterval(() => memory.push(Math.round(currentMemoryMiB(api.pid))), 1_000);
  const rate = await rateOf(overHttp(api, format), stored).finally(() => clearInterval(looking));
  return { rate, memory };
}

function memoryRow(api: ApiProcess, name: string, memory: readonly number[], rate: number): BenchRow {
  const quarter = Math.ceil(memory.length / 4) || 1;
  const early = median(memory.slice(0, quarter));
  const late = median(memory.slice(-quarter));
  return {
    ...boundRow(`${name}: most memory of the API process`, 'MiB', peakMemoryMiB(api.pid), MAX_MIB),
    details: [
      `in the first quarter ${early} MiB, in the last ${late}; ${readdirSync(`/proc/${api.pid}/task`).length} threads; ${rate.toFixed(0)} events/s`,
    ],
  };
}

/** Returns rows a second. Throws when the number of rows is not `expected`. */
async function rateOf(chunks: AsyncIterable<Uint8Array>, expected: number): Promise<number> {
  const begun = performance.now();
  let lines = 0;
  for await (const chunk of chunks)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  if (lines !== expected) throw new Error(`${lines} of ${expected} events came`);
  return (lines * 1000) / (performance.now() - begun);
}

async function* overHttp({ url, headers }: ApiProcess, format: string): AsyncGenerator<Uint8Array> {
  const answer = await fetch(`${url}/api/events?format=${format}`, { headers });
  if (answer.status !== 200 || answer.body === null) throw new Error(`the export was answered with ${answer.status}`);
  yield* answer.body;
}

function byServer(clickhouse: ClickHouse): AsyncIterable<Buffer> {
  return clickhouse.bytes('write all events', `SELECT * FROM ${clickhouse.table('events')} FORMAT JSONEachRow`);
}
