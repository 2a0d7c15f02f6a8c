import { expect, it } from 'vitest';
import { type Detector, settingsText, stateOfDetector } from '#dashboards/console/src/pages/detectors/detector.ts';

const detector: Detector = {
  hostname: 'web-7',
  keyId: 'tl_a',
  enrolledAt: '2026-03-01T00:00:00.000Z',
  version: '0.1.0',
  source: '/dev/kmsg',
  lastSeenAt: '2026-03-01T00:01:00.000Z',
  silent: false,
  lagMs: 0,
  lostRecords: 0,
  refusedEvents: null,
  droppedEvents: null,
  settings: { 'kernel.print-fatal-signals': '1', 'debug.exception-trace': '0' },
};

it.each([
  ['active', {}],
  ['lossy', { droppedEvents: 1, refusedEvents: 1 }],
  ['lossy', { lostRecords: 1 }],
  ['rejected', { refusedEvents: 1 }],
  ['waiting', { lastSeenAt: null, lagMs: null, lostRecords: null }],
  ['silent', { silent: true, lostRecords: 1 }],
] as const)('the state is %s with %o', (state, change) => {
  expect(stateOfDetector({ ...detector, ...change })).toBe(state);
});

it('shows settings by the last part of their names, sorted', () => {
  expect(settingsText(detector)).toBe('exception-trace=0, print-fatal-signals=1');
});
