import { beforeAll, expect, test } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { LandingStore } from '#analytics/clickhouse/port.ts';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import type { RuleCase } from '#analytics/detections/rule-case.ts';
import { cases } from '#analytics/detections/rules/fleet-scan.cases.ts';
import { DEFAULT_DETECTION_SETTINGS, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { createPoolFleet } from '#api/detections/fleet/pool-fleet.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { useDatabase } from '#test/analytics/clickhouse/fixture.ts';

let clickhouse: ClickHouse;
let store: LandingStore;
beforeAll(async () => {
  ({ clickhouse, store } = await useDatabase());
});

const story = (name: string): RuleCase => cases.find((one) => one.name.startsWith(name)) as RuleCase;
const SPREAD = story('two probes a host').events;
const settings = async () => DEFAULT_DETECTION_SETTINGS;

const landed = new Map<number, number>();

/** As in a real fleet, each host is in another partition. */
async function land(events: readonly AcceptedEvent[]): Promise<void> {
  for (const [hostname, ofHost] of Map.groupBy(events, ({ event }) => event.hostname)) {
    const partition = Number(hostname?.split('-')[1]);
    const mark = landed.get(partition) ?? -1;
    const block = store.openEvents({ topic: 'events.v1', partition }, Date.now());
    ofHost.forEach((accepted, i) => {
      const raw = Buffer.from(stringifyExact(accepted.event));
      block.append({ offset: mark + 1 + i, accepted, raw, ingestId: '' });
    });
    expect(await store.landEvents(block, mark)).toEqual({ outcome: 'landed' });
    landed.set(partition, mark + ofHost.length);
  }
}

const withException = (exception: object) => async () =>
  detectionSettingsSchema.parse({ exceptions: [{ id: 'known', reason: 'fuzzing cluster', ...exception }] });

async function stored(): Promise<unknown[]> {
  const rows = await clickhouse.rows<{ id: string }>(
    'read campaigns',
    `SELECT id FROM ${clickhouse.table('detections')} WHERE rule.id = 'fleet-scan'`,
  );
  return getDetections(
    clickhouse,
    rows.map(({ id }) => id),
  );
}

test('a scan over hosts of different partitions is one detection, the same as offline, also after interruptions', async () => {
  const half = SPREAD.length / 2;
  await land(story('a bad release').events.slice(0, 100));
  const first = createPoolFleet({ clickhouse, settings });
  expect(await first()).toBe(0);

  await land(SPREAD.slice(0, half));
  expect(await first()).toBe(1);
  await land(SPREAD.slice(half));
  // The process was killed: another process has no memory of what was written, and judges the same.
  const second = createPoolFleet({ clickhouse, settings });
  expect(await second()).toBe(1);
  expect(await second()).toBe(0);
  expect(await first()).toBe(1);

  const offline = analyzeEvents(
    [...story('a bad release').events.slice(0, 100), ...SPREAD],
    DEFAULT_DETECTION_SETTINGS,
  );
  expect(await stored()).toEqual(offline);
  expect(offline).toMatchObject([{ rule: { id: 'fleet-scan' }, hostname: null, file: 'edge-gw', severity: 'high' }]);
  expect(offline[0]?.message).toContain('20 hosts (web-0, web-1, web-2');

  // A campaign has no host: its evidence is that of its file on all hosts.
  const { items } = await listEvents(clickhouse, { detection: offline[0]?.id as string }, { limit: 1_000 });
  const hosts = new Set(items.map(({ raw }) => (JSON.parse(raw) as { hostname: string }).hostname));
  expect([hosts.size, items.length >= SPREAD.length]).toEqual([20, true]);
});

test('an exception for the file silences a campaign and keeps its record', async () => {
  const pool = createPoolFleet({ clickhouse, settings: withException({ file: 'edge-*' }) });
  expect(await pool()).toBe(1);
  expect(await stored()).toMatchObject([{ exception: 'known', status: 'new' }]);
});

test('a disabled rule writes nothing', async () => {
  const off = {
    ...DEFAULT_DETECTION_SETTINGS.rules['fleet-scan'],
    quiet: 86_400,
    enabled: false,
    severity: 'auto' as const,
  };
  const rules = { ...DEFAULT_DETECTION_SETTINGS.rules, 'fleet-scan': off };
  const pool = createPoolFleet({ clickhouse, settings: async () => ({ ...DEFAULT_DETECTION_SETTINGS, rules }) });
  expect(await pool()).toBe(0);
});

test('a query that exceeds a limit of ClickHouse is repeated over shorter periods, and the poll ends', async () => {
  const whole = createPoolFleet({ clickhouse, settings });
  const campaigns = await whole();
  const periods: [number, number][] = [];
  const limited: ClickHouse = {
    ...clickhouse,
    rows: async (operation, text, options) => {
      const { sinceMs = 0, untilMs = Number.POSITIVE_INFINITY } = (options?.params ?? {}) as Record<string, number>;
      if (operation !== 'find windows with new crashes') return clickhouse.rows(operation, text, options);
      const until = Math.min(untilMs, Date.now());
      const isTooLarge = until - sinceMs > 2 * 86_400_000;
      if (!isTooLarge) periods.push([sinceMs, untilMs]);
      if (isTooLarge)
        return clickhouse.rows(operation, 'SELECT * FROM numbers(10)', { settings: { max_rows_to_read: '1' } });
      return clickhouse.rows(operation, text, options);
    },
  };
  const pool = createPoolFleet({ clickhouse: limited, settings });
  expect(await pool()).toBe(campaigns);
  expect(periods.length).toBeGreaterThan(3);
  for (const [at, [since]] of periods.slice(1).entries()) expect(since).toBe(periods[at]?.[1]);
  expect(await pool()).toBe(0);
});
