import { insertRows } from '#analytics/clickhouse/insert-rows.ts';
import type { LandingStore } from '#analytics/clickhouse/port.ts';
import { type ApiRequestRow, apiRequestsTable } from '#analytics/clickhouse/tables/api-requests.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { accepted, callback, detection, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { TRAP_EVENT } from '#test/schemas/events/sample-event.ts';

/** A host name that would change the query if it were inserted without escaping. */
export const ODD_HOST = `o'dd\\' OR 1=1 --`;
export const BIGGEST = 18446744073709551615n;

const LANE = { topic: 'local.http.fixture', partition: 0 };
const REQUEST: ApiRequestRow = {
  timeMs: 0,
  requestId: 'r',
  method: 'GET',
  route: '/api/detections',
  path: '/api/detections',
  status: 200,
  durationUs: 1_500,
  ip: '192.0.2.1',
  userAgent: 'curl',
  actor: 'user:1',
  userId: '1',
  keyId: '',
  bytes: 300,
  scraper: null,
  cache: null,
  process: 'here:1',
};

/** Provides a migrated database with some rows of each kind from the last minutes. */
export async function useFilledDatabase() {
  const { clickhouse, store } = await useDatabase();
  const nowMs = Date.now();
  await landEvents(store, nowMs);
  await landDeadLetter(store, nowMs);
  const firstSeen = new Date(nowMs - 120_000).toISOString();
  const lastSeen = new Date(nowMs - 60_000).toISOString();
  await store.landDetections([detection({ firstSeen, lastSeen, values: [`0x${BIGGEST.toString(16)}`] })]);
  await insertRows(clickhouse, apiRequestsTable, [
    { ...REQUEST, timeMs: nowMs - 1_000 },
    { ...REQUEST, timeMs: nowMs - 2_000, status: 429, actor: 'anonymous' },
    { ...REQUEST, timeMs: nowMs - 3_000, status: 503 },
    { ...REQUEST, timeMs: nowMs - 4_000, route: '/api/v1/workflows', path: '/api/v1/workflows' },
  ]);
  return { clickhouse, nowMs };
}

async function landEvents(store: LandingStore, nowMs: number): Promise<void> {
  const trap = { ...TRAP_EVENT.event, ip: BIGGEST, vmastart: BIGGEST - 1n } as unknown as EventType;
  const mismatch: EventType = {
    type: 'ConfigMismatch',
    key: 'kernel.print-fatal-signals',
    expected_value: '1',
    observed_value: '0',
  };
  const block = store.openEvents(LANE, nowMs - 30_000);
  const all: readonly [EventType, string | null][] = [
    [trap, 'edge-1'],
    [trap, ODD_HOST],
    [callback(7), 'edge-1'],
    [mismatch, 'edge-1'],
    [trap, null],
  ];
  for (const [offset, [event, hostname]] of all.entries()) {
    const one = accepted(event, hostname, Math.floor(nowMs / 1_000) - 60);
    block.append({ offset, accepted: one, raw: Buffer.from(stringifyExact(one.event)), ingestId: '' });
  }
  await store.landEvents(block, -1);
}

async function landDeadLetter(store: LandingStore, nowMs: number): Promise<void> {
  const block = store.openDeadLetters(LANE, nowMs - 30_000);
  const rejection = { ok: false, code: 'malformed_json', path: '$', message: 'the record is not JSON' } as const;
  block.append({ offset: 5, rejection, raw: Buffer.from('{"torn":'), key: null, ingestId: '' });
  await store.landDeadLetters(block, -1);
}
