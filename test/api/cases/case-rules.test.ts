import { expect, test } from 'vitest';
import { changeCase, highestSeverity, secondsBetween } from '#api/cases/case-rules.ts';
import type { CaseRow } from '#api/cases/tables/cases.ts';
import type { CaseChange } from '#schemas/api/cases.ts';

const OPENED = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-01T13:00:00Z');
const row: CaseRow = {
  id: `case_${'0'.repeat(32)}`,
  number: 1,
  version: 1,
  title: 'Scan',
  description: null,
  severity: 'high',
  status: 'open',
  reason: null,
  assignee: null,
  campaignId: null,
  lastSeq: 1,
  createdAt: OPENED,
  createdBy: 'operator',
  changedAt: OPENED,
  acknowledgedAt: null,
  closedAt: null,
};
const closed: CaseRow = { ...row, status: 'closed', reason: 'benign', closedAt: OPENED, acknowledgedAt: OPENED };

test.each<[string, CaseRow, CaseChange, Partial<CaseRow>]>([
  ['an assignee acknowledges it', row, { assignee: 'ann' }, { assignee: 'ann', acknowledgedAt: LATER }],
  ['work acknowledges it', row, { status: 'in_progress' }, { status: 'in_progress', acknowledgedAt: LATER }],
  ['a title does not', row, { title: 'Probe' }, { title: 'Probe', acknowledgedAt: null }],
  [
    'closing needs a reason and has a time',
    row,
    { status: 'closed', reason: 'resolved' },
    { status: 'closed', reason: 'resolved', closedAt: LATER, acknowledgedAt: LATER },
  ],
  ['another reason keeps the time', closed, { reason: 'duplicate' }, { reason: 'duplicate', closedAt: OPENED }],
  [
    'opening it again drops reason and time, and keeps the acknowledgement',
    closed,
    { status: 'open' },
    { status: 'open', reason: null, closedAt: null, acknowledgedAt: OPENED },
  ],
])('%s', (_, from, change, expected) => {
  const moved = changeCase(from, change, LATER);
  expect(moved.ok && moved.changed?.row).toMatchObject({ ...expected, version: 2, changedAt: LATER });
});

test('a change without effect has no result, and only a closed case has a reason', () => {
  expect(changeCase(row, { title: 'Scan', assignee: null }, LATER)).toEqual({ ok: true, changed: undefined });
  expect(changeCase(row, { status: 'closed' }, LATER)).toMatchObject({ ok: false, field: 'reason' });
  expect(changeCase(row, { reason: 'benign' }, LATER)).toMatchObject({ ok: false, field: 'reason' });
  expect(changeCase(closed, { status: 'open', reason: 'benign' }, LATER)).toMatchObject({ ok: false, field: 'reason' });
  const moved = changeCase(closed, { status: 'open' }, LATER);
  expect(moved.ok && moved.changed).toMatchObject({
    before: { status: 'closed', reason: 'benign' },
    after: { status: 'open', reason: null },
  });
});

test('severity and times', () => {
  expect(highestSeverity(['low', 'critical', 'high'])).toBe('critical');
  expect(highestSeverity([])).toBe('medium');
  expect(secondsBetween(OPENED, LATER)).toBe(3_600);
  expect(secondsBetween(OPENED, null)).toBeNull();
});
