import { expect, test } from 'vitest';
import type { Alert } from '#deploy/cli/corpus/alert.ts';
import { judge } from '#deploy/cli/corpus/judge.ts';
import { score } from '#deploy/cli/corpus/score.ts';

const alert = (rule: string, procname: string | null, seconds = 3): Alert => ({
  rule,
  severity: 'high',
  procname,
  seconds,
  crashes: 7,
});
const PROBE = { any: ['instruction-pointer-probe'], procname: 'gateway' };
const BENIGN = { any: [] };

test('a rule of the ground truth that names the program finds an attack', () => {
  const first = alert('instruction-pointer-probe', 'gateway', 5);
  const verdict = judge(PROBE, [alert('unmapped-jump', 'gateway', 1), first]);
  expect(verdict).toMatchObject({ kind: 'attack', found: true, first, falseAlarms: [] });
});

test.each([
  ['another rule', [alert('stack-canary-probe', 'gateway')], 0],
  ['another program', [alert('instruction-pointer-probe', 'other')], 1],
  ['no name', [alert('instruction-pointer-probe', null)], 1],
  ['a burst, where the truth does not accept one', [alert('suppressed-crash-burst', null)], 0],
])('misses an attack: %s', (_, alerts, falseAlarms) => {
  const verdict = judge(PROBE, alerts);
  expect([verdict.found, verdict.first, verdict.falseAlarms.length]).toEqual([false, null, falseAlarms]);
});

test('a detection of low severity is not a false alarm, and finds an attack', () => {
  const hint: Alert = { ...alert('instruction-pointer-probe', 'gateway'), severity: 'low' };
  expect(judge(BENIGN, [hint])).toMatchObject({ falseAlarms: [], alerts: [hint] });
  expect(judge(BENIGN, [{ ...hint, severity: 'medium' }]).falseAlarms).toHaveLength(1);
  expect(judge(PROBE, [hint]).found).toBe(true);
});

test('any of the names of one program finds the attack', () => {
  const other = [alert('instruction-pointer-probe', 'worker')];
  expect(judge({ ...PROBE, aliases: ['worker'] }, other)).toMatchObject({ found: true, falseAlarms: [] });
  expect(judge({ ...PROBE, any_procname: true }, other)).toMatchObject({ found: true, falseAlarms: [] });
});

test('a burst finds an attack of which the kernel printed few lines', () => {
  const burst = [alert('suppressed-crash-burst', null)];
  expect(judge({ ...PROBE, burst_ok: true }, burst)).toMatchObject({ found: true, falseAlarms: [] });
});

test('no probe rule may fire in a benign capture, unless the ground truth allows it', () => {
  const facts = [alert('suppressed-crash-burst', null), alert('sensitive-program-crash', 'sshd')];
  expect(judge(BENIGN, facts).falseAlarms).toEqual([]);
  const probe = alert('stack-canary-probe', 'worker');
  expect(judge(BENIGN, [...facts, probe]).falseAlarms).toEqual([probe]);
  expect(judge({ ...BENIGN, allow: ['stack-canary-probe'] }, [probe]).falseAlarms).toEqual([]);
});

test('calculates the figures of a corpus', () => {
  const found = (seconds: number) => judge(PROBE, [alert('instruction-pointer-probe', 'gateway', seconds)]);
  const verdicts = [found(2), found(10), judge(PROBE, []), judge(BENIGN, []), judge(BENIGN, [alert('a-rule', 'x')])];
  expect(score(verdicts)).toEqual({
    attacks: 3,
    found: 2,
    benign: 2,
    falselyAlarmed: 1,
    precision: 2 / 3,
    recall: 2 / 3,
    medianSecondsToAlert: 6,
    medianCrashesToAlert: 7,
    alertsPerAttack: 2 / 3,
  });
  expect(score([])).toMatchObject({ precision: null, recall: null, medianSecondsToAlert: null });
});
