import { expect, test } from 'vitest';
import { changeText } from '#dashboards/console/src/pages/detection/change-text.ts';
import { changeDoneText, decisionText } from '#dashboards/console/src/pages/detection/decision-words.ts';
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
  hosts: [],
  hostsTotal: 0,
  risk: null,
  executable: null,
  buildId: null,
  uid: null,
  parent: null,
  unit: null,
  container: null,
  pod: null,
  attack: [],
  evidenceCount: 20,
  status: 'new',
  verdict: null,
  assignee: null,
  note: null,
  exception: null,
} satisfies Parameters<typeof storyOf>[0];

test('the summary has a sentence for each fact, with exact addresses', () => {
  expect(storyOf(detection)).toEqual([
    'The instruction pointer moves.',
    'Duration: 10 s (2.5 crashes/s on average).',
    '20 crashes logged; the kernel dropped at least 5 more messages.',
    'Addresses probed: 0xffffffffffffff00–0xfffffffffffffff0 (240 bytes; 2 of 3 values stored).',
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
    'All evidence has the same timestamp.',
    'Silenced by an exception: stored, but raises no alert.',
  ]);
});

test('formats durations in readable units', () => {
  expect([0.03, 7.54, 61, 3_700, 90_000].map(durationText)).toEqual([
    '0.03 s',
    '7.5 s',
    '1 min 1 s',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});

test('a history entry names the old and the new value', () => {
  expect(changeText({ status: 'new', verdict: null }, { status: 'closed', verdict: 'false_positive' })).toBe(
    'status new → closed, verdict none → false positive',
  );
  expect(changeText({}, { assignee: 'ada', note: null })).toBe('assignee → ada, note → none');
});

test('a decision names status, verdict and assignee; the message after a change names the changes', () => {
  expect(decisionText({ status: 'closed', verdict: 'false_positive', assignee: 'ben' })).toBe(
    'closed, false positive, assigned to ben',
  );
  expect(decisionText({ status: 'new', verdict: null, assignee: null })).toBe('new, unassigned');
  expect(changeDoneText({ assignee: 'ben' })).toBe('Assigned to ben');
  expect(changeDoneText({ assignee: null })).toBe('Unassigned');
  expect(changeDoneText({ status: 'acknowledged' })).toBe('Acknowledged');
  expect(changeDoneText({ status: 'closed', verdict: 'benign', note: 'a test' })).toBe(
    'Closed · Verdict: benign · Note saved',
  );
});

test('names the signs of a risk by their rules', () => {
  const message =
    'The signs on web-1 add up to a risk score of 90 (71.28 of 100): unmapped-jump of nginx, sensitive-program-crash of sshd, detector-tampering, rule-of-a-user of x, suppressed-crash-burst.';
  expect(storyOf({ ...detection, rule: { id: 'host-risk', version: 1, name: 'Risk of a host' }, message })[0]).toBe(
    'The signs on web-1 add up to a risk score of 90 (71.28 of 100): Jumps to unmapped memory: nginx, Crash of a sensitive program: sshd, Detector tampering, rule-of-a-user of x, Burst of suppressed crash messages.',
  );
});
