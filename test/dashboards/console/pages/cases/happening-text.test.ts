import { expect, test } from 'vitest';
import { happeningTexts } from '#dashboards/console/src/pages/cases/happening-text.ts';

test.each([
  ['created', {}, ['opened the case']],
  [
    'changed',
    { before: { status: 'open' }, after: { status: 'in_progress', assignee: 'ann' } },
    ['set the status to In progress', 'assigned the case to ann'],
  ],
  [
    'changed',
    { before: { status: 'open' }, after: { status: 'closed', reason: 'false_positive' } },
    ['closed the case: False positive'],
  ],
  ['changed', { before: { status: 'closed' }, after: { status: 'open', reason: null } }, ['reopened the case']],
  [
    'changed',
    { before: {}, after: { title: 'a\u202eb', severity: 'high', assignee: null } },
    ['set the severity to High', 'removed the assignee', 'changed the title to “a\\u{202e}b”'],
  ],
  ['detections_added', { detections: ['a', 'b'] }, ['added 2 detections']],
  ['task_changed', { task: { title: 'Isolate' }, before: {}, after: { done: true } }, ['finished the task “Isolate”']],
  ['file_added', { file: { filename: 'core.gz' } }, ['added the file core.gz']],
  ['execution_linked', { execution: { kind: 'agent', name: 'triage' } }, ['asked the agent triage']],
  ['comment', { comment: { text: 'x' } }, []],
] as const)('%s %j', (kind, data, expected) => {
  expect(happeningTexts({ kind, data })).toEqual(expected);
});
