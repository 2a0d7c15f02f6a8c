import { expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { abort, at, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/event.ts';

const PROCESS = {
  executable: '/usr/sbin/nginx',
  build_id: 'd1c3e919',
  uid: 33,
  parent: { pid: 1, name: 'systemd', executable: '/usr/lib/systemd/systemd' },
  unit: 'docker-3b8b.scope',
  container: { id: '3b8b' },
  pod: { uid: '4d6e' },
};
const AGREED = {
  executable: '/usr/sbin/nginx',
  buildId: 'd1c3e919',
  uid: 33,
  parent: '/usr/lib/systemd/systemd',
  unit: 'docker-3b8b.scope',
  container: '3b8b',
  pod: '4d6e',
};
const UNKNOWN = { executable: null, buildId: null, uid: null, parent: null, unit: null, container: null, pod: null };

const of = (event: EventType, process: unknown) => ({ ...event, process }) as EventType;
/** A crash of a scan. `process` is the addition of the event that describes the process. */
const probe = (i: number, process: unknown, seconds = i): AcceptedEvent =>
  at(seconds, of(trap(0x40_1100 + 4 * i, { pid: 100 + i }), process));
const found = (events: readonly AcceptedEvent[]) =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).filter(({ rule }) => rule.id === 'instruction-pointer-probe')[0];

test('a detection shows the process facts on which all of its crashes agree', () => {
  expect(found(times(8, (i) => probe(i, PROCESS)))).toMatchObject(AGREED);
});

test('a crash without process facts removes none', () => {
  expect(found(times(8, (i) => probe(i, i % 3 === 1 ? PROCESS : undefined)))).toMatchObject(AGREED);
  const dying = { uid: 33, unit: PROCESS.unit, container: PROCESS.container, pod: PROCESS.pod };
  expect(found(times(8, (i) => probe(i, i % 3 === 1 ? dying : PROCESS)))).toMatchObject(AGREED);
});

test.each([
  ['executable', { executable: '/usr/sbin/other' }, 'executable'],
  ['build id', { build_id: 'ffff' }, 'buildId'],
  ['user', { uid: 0 }, 'uid'],
  ['parent', { parent: { pid: 9, name: 'sh' } }, 'parent'],
  ['unit', { unit: 'nginx.service' }, 'unit'],
  ['container', { container: { id: '9999' } }, 'container'],
  ['container, of which one crash had none', { container: undefined }, 'container'],
  ['pod, of which one crash had none', { pod: undefined }, 'pod'],
  ['unit too long to keep', { unit: 'u'.repeat(600) }, 'unit'],
] as const)('omits a value on which its crashes disagree: %s', (_case, different, name) => {
  // Before the detection opens, and afterwards.
  for (const odd of [0, 5]) {
    const detection = found(times(8, (i) => probe(i, i === odd ? { ...PROCESS, ...different } : PROCESS)));
    expect(detection).toMatchObject({ ...AGREED, [name]: null });
  }
});

test('a parent without a readable executable is known by its name', () => {
  const process = { ...PROCESS, parent: { pid: 1, name: 'systemd' } };
  expect(found(times(8, (i) => probe(i, process)))).toMatchObject({ ...AGREED, parent: 'systemd' });
});

test('ignores an old crash, which is not evidence', () => {
  const old = { ...PROCESS, container: { id: '9999' } };
  expect(found([probe(0, old, -700_000), ...times(8, (i) => probe(i, PROCESS))])).toMatchObject(AGREED);
  expect(found([probe(0, PROCESS, -700_000), ...times(8, (i) => probe(i, undefined))])).toMatchObject(UNKNOWN);
});

test('process facts with another name are ignored', () => {
  for (const process of ['nginx', [1], {}, { uid: '33' }])
    expect(found(times(8, (i) => probe(i, process)))).toMatchObject(UNKNOWN);
});

test('aborts have them too, and the state keeps them over a restart, including disagreements', () => {
  const events = times(60, (i) =>
    at(i / 4, of(abort(100 + i, 'a'), i === 3 ? { ...PROCESS, container: { id: '9999' } } : PROCESS)),
  );
  const undisturbed = analyzeEvents(events, DEFAULT_DETECTION_SETTINGS);
  expect(undisturbed).toMatchObject([{ ...AGREED, container: null, rule: { id: 'stack-canary-probe' } }]);
  for (const cut of [2, 10, 50]) {
    const before = createTracker(DEFAULT_DETECTION_SETTINGS);
    for (const event of events.slice(0, cut)) before.feed(event);
    const after = createTracker(DEFAULT_DETECTION_SETTINGS);
    after.restore(before.snapshot());
    expect(after.snapshot()).toEqual(before.snapshot());
    for (const event of events.slice(cut)) after.feed(event);
    expect(after.drain().changed).toEqual(undisturbed);
  }
});
