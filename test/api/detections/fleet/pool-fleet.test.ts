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

/** As hosts of one fleet lie: in another partition each. */
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

test('a scan over hosts of different partitions is one detection, the same as offline, whatever stops in between', async () => {
  const half = SPREAD.length / 2;
  await land(story('a bad release').events.slice(0, 100));
  const first = createPoolFleet({ clickhouse, settings });
  expect(await first(Date.now())).toBe(0);

  await land(SPREAD.slice(0, half));
  expect(await first(Date.now())).toBe(1);
  await land(SPREAD.slice(half));
  // The process was killed: another one knows nothing of what was written, and judges the same.
  const second = createPoolFleet({ clickhouse, settings });
  expect(await second(Date.now())).toBe(1);
  expect(await second(Date.now())).toBe(0);
  expect(await first(Date.now())).toBe(1);

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
  expect(await pool(Date.now())).toBe(1);
  expect(await stored()).toMatchObject([{ exception: 'known', status: 'new' }]);
});

test('a rule that is switched off writes nothing', async () => {
  const off = {
    ...DEFAULT_DETECTION_SETTINGS.rules['fleet-scan'],
    quiet: 86_400,
    enabled: false,
    severity: 'auto' as const,
  };
  const rules = { ...DEFAULT_DETECTION_SETTINGS.rules, 'fleet-scan': off };
  const pool = createPoolFleet({ clickhouse, settings: async () => ({ ...DEFAULT_DETECTION_SETTINGS, rules }) });
  expect(await pool(Date.now())).toBe(0);
});
