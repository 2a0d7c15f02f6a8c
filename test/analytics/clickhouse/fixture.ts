import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { EventRow, LandingStore, Lane } from '#analytics/clickhouse/port.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { atEnd } from '#test/support/at-end.ts';
import { useClickHouse } from '#test/support/use-services.ts';

/** Creates and migrates a database on the ClickHouse of the test run. */
export async function useDatabase(): Promise<{ clickhouse: ClickHouse; store: LandingStore }> {
  const service = await useClickHouse();
  const clickhouse = createClickHouse(service);
  atEnd(() => clickhouse.close());
  await migrate(clickhouse);
  return { clickhouse, store: createLandingStore({ clickhouse }) };
}

export function accepted(event: EventType, hostname: string | null, seconds: number, nanos = 0): AcceptedEvent {
  const timestamp = new Date(seconds * 1000).toISOString();
  return { ok: true, time: { seconds, nanos }, event: { version: 'V1', timestamp, hostname, event } };
}

export function callback(count: number | bigint): EventType {
  return { type: 'LinuxSuppressedCallback', count, facility: 'Kern', function_name: 'show_signal_msg', level: 'Info' };
}

/** A trap whose instruction pointer is `ip`. */
export function trap(procname: string, pid: number, ip: bigint | number): EventType {
  return {
    type: 'LinuxKernelTrap',
    errcode: {
      reason: 'NoPageFound',
      access_type: 'Read',
      access_mode: 'User',
      use_of_reserved_bit: false,
      instruction_fetch: false,
      protection_keys_block_access: false,
    },
    facility: 'Kern',
    level: 'Info',
    ip,
    sp: 0,
    pid,
    procname,
    trap: { type: 'InvalidOpcode' },
  };
}

/** An event whose `count` is its offset. */
export function numbered(offset: number, ingestId = ''): EventRow {
  const event = accepted(callback(offset), `host-${offset % 3}`, 1_770_000_000 + offset);
  return { offset, accepted: event, raw: Buffer.from(stringifyExact(event.event)), ingestId };
}

/** Lands the offsets `[first, last]` as one block after `mark`. */
export function landRange(
  store: LandingStore,
  lane: Lane,
  first: number,
  last: number,
  mark: number,
  receivedMs = Date.now(),
) {
  const block = store.openEvents(lane, receivedMs);
  for (let offset = first; offset <= last; offset++) block.append(numbered(offset));
  return store.landEvents(block, mark);
}

export async function offsets(clickhouse: ClickHouse, lane: Lane): Promise<number[]> {
  const rows = await clickhouse.rows<{ offset: string }>(
    'read offsets',
    `SELECT offset FROM ${clickhouse.table('events')} WHERE topic = {topic:String} AND partition = {partition:UInt64} ORDER BY offset`,
    { params: { ...lane } },
  );
  return rows.map((row) => Number(row.offset));
}

export const upTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, i) => i);

export function detection(over: Partial<Detection> = {}): Detection {
  return {
    id: `det_${'a'.repeat(32)}`,
    revision: 1,
    rule: { id: 'instruction-pointer-probe', version: 1, name: 'Instruction pointer probe' },
    severity: 'high',
    hostname: 'edge-1',
    hosts: [],
    hostsTotal: 0,
    procname: 'nginx',
    file: null,
    register: 'ip',
    executable: null,
    buildId: null,
    uid: null,
    parent: null,
    unit: null,
    container: null,
    pod: null,
    firstSeen: '2026-02-02T02:40:00.000000001Z',
    lastSeen: '2026-02-02T02:41:39.123456789Z',
    crashes: 3,
    suppressedAtLeast: 0,
    message: 'the instruction pointer moves in steps',
    values: ['0x1', '0x2'],
    valuesTotal: 2,
    attack: [{ tactic: 'TA0002', technique: 'T1203', name: 'Exploitation for Client Execution' }],
    evidenceCount: 3,
    risk: null,
    status: 'new',
    verdict: null,
    assignee: null,
    note: null,
    exception: null,
    event: {
      version: 'V1',
      timestamp: '2026-02-02T02:41:39.123456789Z',
      hostname: 'edge-1',
      event: {
        type: 'RegisterProbe',
        justification: { EventCount: 18446744073709551615n },
        message: 'probe',
        procname: 'nginx',
        register: 'ip',
      },
    },
    ...over,
  };
}

/** The same store with other query limits. */
export function limited(clickhouse: ClickHouse, settings: Readonly<Record<string, string | number>>): ClickHouse {
  return {
    ...clickhouse,
    rows: <Row>(operation: string, query: string, options?: object) =>
      clickhouse.rows<Row>(operation, query, { ...options, settings: { ...settings } }),
  };
}
