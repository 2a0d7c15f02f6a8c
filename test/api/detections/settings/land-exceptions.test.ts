import pino from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { detectionRow } from '#analytics/clickhouse/detection-rows.ts';
import { insertRows } from '#analytics/clickhouse/insert-rows.ts';
import { getDetection, saveTriage } from '#analytics/clickhouse/read-models/detections.ts';
import { detectionRecordsTable } from '#analytics/clickhouse/tables/detection-records.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createExceptions, draftFrom } from '#api/detections/settings/exceptions.ts';
import { landExceptions, startLandingExceptions } from '#api/detections/settings/land-exceptions.ts';
import { readTail, tailFrom } from '#api/detections/tail/read-tail.ts';
import type { Detection } from '#schemas/detection.ts';
import { useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { BY, fresh } from '../../outputs/fixture.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
const base = {
  ...DEFAULT_DETECTION_SETTINGS,
  exceptions: [{ id: 'from-file', hostname: 'ci-*', expires: null, reason: 'crash tests' }],
};
const deps = { clickhouse, database, base };
const { create, end } = createExceptions({
  database,
  audit: createAudit(),
  base,
  changed: () => landExceptions(deps),
});
const reason = 'a test';
const exceptionOf = async ({ id }: Detection) => (await getDetection(clickhouse, id))?.exception;
const landed = async (...detections: Detection[]) => store.landDetections(detections);

beforeEach(async () => {
  await database.deleteFrom('detectionExceptions').execute();
});

test('an exception from a detection silences it and other open ones, and its removal reopens them', async () => {
  const began = Date.now();
  const [one, like, closed, elsewhere] = [
    fresh({ hostname: 'own' }),
    fresh({ hostname: 'own' }),
    fresh({ hostname: 'own' }),
    fresh({ hostname: 'other' }),
  ];
  await landed(one, like, closed, elsewhere);
  await saveTriage(clickhouse, closed.id, { status: 'closed', verdict: 'benign', assignee: null, note: null }, 1);
  const { id, silenced } = await create(draftFrom({ reason }, one), BY, one.id);
  expect(silenced).toBe(2);
  const exceptions = () => Promise.all([one, like, closed, elsewhere].map(exceptionOf));
  expect(await exceptions()).toEqual([id, id, null, null]);
  const { detections } = await readTail(clickhouse, tailFrom(began - 1), { againMs: 0 });
  const reported = detections.map((detection) => detection.id);
  expect([one, like, closed, elsewhere].map((detection) => reported.includes(detection.id))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(await end(id, BY)).toBe(true);
  expect(await exceptions()).toEqual([null, null, null, null]);
});

test('a detection covered by another exception moves to it, including one of the rules file', async () => {
  const [here, onCi] = [fresh({ hostname: 'ci-7' }), fresh({ hostname: 'web-7' })];
  await landed(here, onCi);
  const first = await create({ hostname: '*-7', reason }, BY);
  const second = await create({ hostname: 'web-*', reason }, BY);
  expect([await exceptionOf(here), await exceptionOf(onCi)]).toEqual([first.id, first.id]);
  await end(first.id, BY);
  expect([await exceptionOf(here), await exceptionOf(onCi)]).toEqual(['from-file', second.id]);
  await end(second.id, BY);
  expect(await exceptionOf(onCi)).toBeNull();
});

test('a revision by a process without the exception is silenced too; a later one records the exception', async () => {
  const one = fresh({ hostname: 'grows' });
  await landed(one);
  const { id } = await create({ hostname: 'grows', expires: '2026-03-02T00:00:00Z', reason }, BY);
  expect(await exceptionOf(one)).toBe(id);
  await landed({ ...one, revision: 2 });
  expect(await exceptionOf(one)).toBe(id);
  const later = Date.now() + 60_000;
  await insertRows(clickhouse, detectionRecordsTable, [detectionRow({ ...one, revision: 3 }, later)]);
  expect(await exceptionOf(one)).toBeNull();
  const over = fresh({ hostname: 'over', lastSeen: '2026-03-02T00:00:00.000000000Z' });
  await landed(over);
  await create({ hostname: 'over', expires: '2026-03-02T00:00:00Z', reason }, BY);
  expect(await exceptionOf(over)).toBeNull();
});

test('a change that could not be stored is stored as soon as possible', async () => {
  const one = fresh({ hostname: 'late' });
  await landed(one);
  const changed = () => Promise.reject(new Error('ClickHouse is unavailable'));
  const away = createExceptions({ database, audit: createAudit(), base, changed });
  const { id, silenced } = await away.create({ hostname: 'late', reason }, BY);
  expect(silenced).toBeNull();
  expect(await exceptionOf(one)).toBeNull();
  const logger = pino({ level: 'silent' });
  const landing = startLandingExceptions({ ...deps, logger }, { pauseMs: 20 });
  onTestFinished(() => landing.stop());
  await waitFor('the silence', async () => (await exceptionOf(one)) === id);
  await away.end(id, BY);
  await waitFor('the detection to be back', async () => (await exceptionOf(one)) === null);
});

test('a removed exception silences nothing after concurrent creation and removal by several processes', async () => {
  const one = fresh({ hostname: 'raced' });
  await landed(one);
  const race = async () => {
    const made = create({ hostname: 'raced', reason }, BY);
    const landing = landExceptions(deps);
    const { id } = await made;
    await Promise.all([landing, end(id, BY), landExceptions(deps)]);
  };
  for (let round = 0; round < 4; round += 1) await Promise.all([race(), race(), race()]);
  expect(await exceptionOf(one)).toBeNull();
  expect(await database.selectFrom('detectionExceptions').select('id').where('landed', '=', false).execute()).toEqual(
    [],
  );
});

test('a draft from a detection has no wildcard and no NUL from its names', () => {
  const named = fresh({ hostname: 'web\0-*', procname: '*\0' });
  expect(draftFrom({ reason: 'test' }, named)).toMatchObject({ hostname: 'web?-?', program: '??' });
});
