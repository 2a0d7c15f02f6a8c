import { describe, expect, test } from 'vitest';
import { dump, hex, times, trap } from '#analytics/detections/rule-case.ts';
import { elasticOverflow, elasticSegfault } from './elastic.ts';
import { judgeRival } from './judge-rival.ts';
import type { RivalCapture, TimedEvent } from './rival.ts';
import { sigmaOverflow } from './sigma.ts';
import { wazuhThreshold } from './wazuh.ts';
import { zerotect } from './zerotect.ts';

const segfaults = (count: number, pause: number): RivalCapture => ({
  lines: times(count, (i) => ({ at: i * pause, text: `gateway[${i}]: segfault at 0 ip 401100 sp 7ffc error 6` })),
  events: [],
});
const crashes = (count: number, pause: number, event: (i: number) => TimedEvent['event']): RivalCapture => ({
  lines: [],
  events: times(count, (i) => ({ at: i * pause, event: event(i) })),
});
const alertTimes = (rival: { alerts(capture: RivalCapture): readonly { at: number }[] }, capture: RivalCapture) =>
  rival.alerts(capture).map(({ at }) => at);

describe('zerotect', () => {
  test('two close instruction pointers are a probe after ten seconds without events', () => {
    const capture = crashes(2, 1, (i) => trap(0x40_1100 + 8 * i, { procname: 'gateway' }));
    expect(zerotect.alerts(capture)).toEqual([{ at: 11, procname: 'gateway' }]);
  });

  test('a full buffer is evaluated immediately, and the events of an alert do not count again', () => {
    const capture = crashes(40, 0.1, (i) => trap(0x40_1100 + i, { procname: 'gateway' }));
    expect(alertTimes(zerotect, capture)).toEqual([expect.closeTo(1.9), expect.closeTo(3.9)]);
  });

  test.each<[string, RivalCapture]>([
    ['steps of 16 bytes', crashes(40, 1, (i) => trap(0x40_1100 + 16 * i))],
    ['the same address', crashes(40, 1, () => trap(0x40_1100))],
    ['a crash every 31 seconds', crashes(40, 31, (i) => trap(0x40_1100 + i))],
    ['eight dumps whose RDI moves by one', crashes(8, 1, (i) => dump({ RDI: hex(0x7000 + i) }))],
  ])('does not see %s', (_, capture) => {
    expect(zerotect.alerts(capture)).toEqual([]);
  });

  test('mistakes increasing process ids for a probe', () => {
    const capture = crashes(9, 1, (i) => dump({ Comm: 'worker', RDI: hex(5000 + i), RSI: hex(5000 + i) }));
    expect(zerotect.alerts(capture).map(({ procname }) => procname)).toContain('worker');
  });
});

describe('Elastic', () => {
  test('each segfault is an alert of the next run, at most a hundred per run', () => {
    expect(alertTimes(elasticSegfault, segfaults(3, 200))).toEqual([300, 300, 600]);
    expect(alertTimes(elasticSegfault, segfaults(150, 0.1))).toEqual(times(100, () => 300));
  });

  test('the threshold rule reports a hundred of them within nine minutes', () => {
    expect(alertTimes(elasticOverflow, segfaults(100, 1))).toEqual([300]);
    expect(alertTimes(elasticOverflow, segfaults(99, 1))).toEqual([]);
    expect(alertTimes(elasticOverflow, segfaults(200, 10))).toEqual([]);
  });
});

test('Sigma reports keywords of programs', () => {
  const lines = ['*** stack smashing detected ***: terminated', 'gateway[7]: segfault at 0'].map((text) => ({
    at: 5,
    text,
  }));
  expect(alertTimes(sigmaOverflow, { lines, events: [] })).toEqual([5]);
});

test('the threshold over Wazuh’s rule reports eight within two minutes, once a minute', () => {
  expect(alertTimes(wazuhThreshold, segfaults(7, 1))).toEqual([]);
  expect(alertTimes(wazuhThreshold, segfaults(100, 1))).toEqual([7, 67]);
  expect(alertTimes(wazuhThreshold, segfaults(100, 18))).toEqual([]);
});

test('a rival finds an attack by any alert about the program or the host', () => {
  const capture = { ...segfaults(100, 1), events: crashes(100, 1, (i) => trap(0x40_1100, { pid: i })).events };
  const procname = 'nginx';
  const verdict = judgeRival(wazuhThreshold, { any: ['instruction-pointer-probe'], any_procname: true }, capture);
  expect(verdict).toMatchObject({ found: true, first: { seconds: 7, crashes: 8 }, falseAlarms: [] });
  const other = { lines: [], events: crashes(2, 1, (i) => trap(0x40_1100 + i, { procname: 'other' })).events };
  expect(judgeRival(zerotect, { any: ['instruction-pointer-probe'], procname }, other)).toMatchObject({
    found: false,
    falseAlarms: [{ procname: 'other' }],
  });
  expect(judgeRival(wazuhThreshold, { any: [] }, capture)).toMatchObject({ kind: 'benign', falseAlarms: [{}, {}] });
});
