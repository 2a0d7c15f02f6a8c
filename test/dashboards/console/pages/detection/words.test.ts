import { expect, test } from 'vitest';
import { changeText } from '#dashboards/console/src/pages/detection/change-text.ts';
import { durationText, storyOf } from '#dashboards/console/src/pages/detection/story.ts';

const detection = {
  id: 'det_1',
  revision: 3,
  rule: { id: 'instruction-pointer-probe', version: 1, name: 'Instruction pointer probe' },
  severity: 'critical',
  hostname: 'web-1',
  procname: 'nginx',
  file: null,
  register: 'ip',
  firstSeen: '2026-03-01T00:00:00.000000000Z',
  lastSeen: '2026-03-01T00:00:10.000000000Z',
  crashes: 20,
  suppressedAtLeast: 5,
  message: 'The instruction pointer moves.',
  values: ['0xfffffffffffffff0', '0xffffffffffffff00'],
  valuesTotal: 3,
  attack: [],
  evidenceCount: 20,
  status: 'new',
  verdict: null,
  assignee: null,
  note: null,
  exception: null,
} satisfies Parameters<typeof storyOf>[0];

test('what happened is told in sentences, with addresses to the byte', () => {
  expect(storyOf(detection)).toEqual([
    'The instruction pointer moves.',
    'It lasted 10 s, with 2.5 crashes a second on average.',
    'Of the crashes 20 were logged; the kernel says that it left out at least 5 more.',
    'The values lie between 0xffffffffffffff00 and 0xfffffffffffffff0, 240 bytes apart (of the 2 that are kept, of 3).',
  ]);
  const one = {
    ...detection,
    lastSeen: detection.firstSeen,
    suppressedAtLeast: 0,
    values: ['canary'],
    exception: 'exc_1',
  };
  expect(storyOf(one)).toEqual([
    'The instruction pointer moves.',
    'All of it happened at one instant.',
    'An exception silences it: it is kept, but not announced.',
  ]);
});

test('durations in the units people say', () => {
  expect([0.03, 7.54, 61, 3_700, 90_000].map(durationText)).toEqual([
    '0.03 s',
    '7.5 s',
    '1 min 1 s',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});

test('a change names what it was and what it became', () => {
  expect(changeText({ status: 'new', verdict: null }, { status: 'closed', verdict: 'false_positive' })).toBe(
    'status new → closed, verdict none → false positive',
  );
  expect(changeText({}, { assignee: 'ada', note: null })).toBe('assignee → ada, note → none');
});
