import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { type DetectionSettings, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import { decodeRecord } from '#ingest/pipeline/decode.ts';
import { adoptSettings, restoreLane, snapshotLane } from '#ingest/pipeline/lane-settings.ts';
import type { PipelineRecord } from '#ingest/pipeline/pipeline-record.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import { type DetectionFacts, factsOf } from '#test/support/detection-facts.ts';
import { meddledStore, openTestLane, storedDetections } from '#test/support/lane-fixture.ts';
import { numberedRecords } from '#test/support/numbered-records.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { randomName, useClickHouse } from '#test/support/use-services.ts';

let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = createClickHouse(await useClickHouse());
  await migrate(clickhouse);
});
afterAll(() => clickhouse.close());

const SHIPPED = detectionSettingsSchema.parse({});
const OFF = detectionSettingsSchema.parse({
  rules: { 'instruction-pointer-probe': { enabled: false }, 'register-value-probe': { enabled: false } },
});
const SILENCED = detectionSettingsSchema.parse({
  rules: { 'instruction-pointer-probe': { minDistinct: 6 }, 'suppressed-crash-burst': { enabled: false } },
  exceptions: [{ id: 'all', rule: '*', reason: 'test' }],
});
const STEP = 250;
/** The settings that apply to each range of records. */
const PLAN: readonly DetectionSettings[] = [SHIPPED, SHIPPED, OFF, OFF, SILENCED, SILENCED, SHIPPED, SHIPPED];

function recordsOf(prefix: string): PipelineRecord[] {
  return numberedRecords(seededRandom(7), 0, STEP * PLAN.length, prefix).map(({ number, key, value }) => ({
    offset: number,
    key: Buffer.from(key),
    value,
    ingestId: '',
  }));
}

/** Returns the detections of one tracker that never restarts, while the settings change according to the plan. */
function expected(records: readonly PipelineRecord[]): DetectionFacts[] {
  const validate = createValidateStep({ signalDialect: 'v1' });
  let settings = SHIPPED;
  const state = { tracker: createTracker(SHIPPED), settings: SHIPPED };
  const latest = new Map<string, DetectionFacts>();
  records.forEach(({ value }, index) => {
    settings = PLAN[Math.floor(index / STEP)] ?? SHIPPED;
    adoptSettings(state, { createTracker, settings: () => settings });
    const decoded = decodeRecord(value, { maxBytes: 2 ** 20 });
    const accepted = decoded.ok ? validate(decoded.payload) : decoded;
    if (accepted.ok) state.tracker.feed(accepted);
    for (const detection of state.tracker.drain().changed) latest.set(detection.id, factsOf(detection));
  });
  return [...latest.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

test.each([
  ['in one process', 'never'],
  ['in a process that is killed after every batch', 'after'],
  ['in processes that are started with other settings than those that landed', 'elsewhere'],
  ['cut off before a snapshot is saved', 'saveSnapshot'],
  ['cut off before events land', 'landEvents'],
] as const)('settings that change %s lead to the same detections', async (_, cut) => {
  const topic = randomName('topic');
  const records = recordsOf(topic);
  let settings = SHIPPED;
  const rules = { createTracker, settings: () => settings };
  // Saves only the snapshots that a change of settings requires. All other state is rebuilt by replay.
  const limits = { snapshotEvents: 1_000_000, snapshotMs: 1_000_000_000, batchRecords: 10_000 };
  const open = (broken: boolean) => {
    let due = broken;
    const store = meddledStore(createLandingStore({ clickhouse }), (operation) => {
      if (!due || operation !== cut) return;
      due = false;
      throw new Error('cut off');
    });
    return openTestLane(clickhouse, { topic, limits, store, deps: { rules } });
  };
  let running = open(false);
  for (const [index, wanted] of PLAN.entries()) {
    const portion = records.slice(index * STEP, (index + 1) * STEP);
    if (cut === 'saveSnapshot' || cut === 'landEvents') {
      running.lane.abandon();
      settings = PLAN[index - 1] ?? SHIPPED;
      const dying = open(true);
      await dying.lane.opened;
      settings = wanted;
      await dying.send(portion).catch(() => {});
      dying.lane.abandon();
      running = open(false);
    }
    settings = wanted;
    await running.send(portion).catch(() => {});
    if (cut === 'after' || cut === 'elsewhere') {
      running.lane.abandon();
      running = open(false);
      await running.lane.opened;
    }
  }
  await running.lane.close();
  const found = await storedDetections(clickhouse, topic);
  expect(found.length).toBeGreaterThan(3);
  expect(found).toEqual(expected(records));
});

test('reads a snapshot of a version without settings', () => {
  const rules = { createTracker, settings: () => OFF };
  const tracker = createTracker(SHIPPED);
  expect(restoreLane(tracker.snapshot(), rules, OFF).settings).toBe(OFF);
  const saved = snapshotLane({ tracker, settings: SILENCED });
  expect(restoreLane(saved, rules, OFF).settings).toEqual(SILENCED);
  const older = ['trapline-rule-settings {"rules":{"gone":{}}}', ...tracker.snapshot()];
  expect(restoreLane(older, rules, OFF).settings).toBe(OFF);
});

test('equal settings change nothing', () => {
  const state = { tracker: createTracker(SHIPPED), settings: SHIPPED };
  const { tracker } = state;
  const same = detectionSettingsSchema.parse({});
  expect(adoptSettings(state, { createTracker, settings: () => same })).toBeUndefined();
  expect(state).toEqual({ tracker, settings: same });
});
