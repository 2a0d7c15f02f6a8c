import { CASE_REASONS, CASE_STATUSES } from '#schemas/case-terms.ts';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { isRecord } from '../../parts/run-form/json.ts';
import { PARTS_TEXT } from '../../parts/text.ts';
import { visible } from '../../parts/visible.ts';
import type { Happening } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.activity;
type Data = Readonly<Record<string, unknown>>;

/** Returns the text of a timeline entry after the user's name, in parts. Empty for a comment. */
export function happeningTexts({ kind, data }: Pick<Happening, 'kind' | 'data'>): string[] {
  switch (kind) {
    case 'created':
      return [TEXT.opened];
    case 'changed':
      return changeTexts(recordOf(data.before), recordOf(data.after));
    case 'detections_added':
      return [TEXT.addedDetections(Array.isArray(data.detections) ? data.detections.length : 0)];
    case 'detection_removed':
      return [TEXT.removedDetection];
    case 'task_added':
      return [TEXT.addedTask(named(data.task, 'title'))];
    case 'task_removed':
      return [TEXT.removedTask(named(data.task, 'title'))];
    case 'task_changed':
      return taskTexts(named(data.task, 'title'), recordOf(data.after));
    case 'file_added':
      return [TEXT.addedFile(named(data.file, 'filename'))];
    case 'file_removed':
      return [TEXT.removedFile(named(data.file, 'filename'))];
    case 'execution_linked': {
      const name = named(data.execution, 'name') || named(data.execution, 'executionId');
      return [recordOf(data.execution).kind === 'agent' ? TEXT.askedAgent(name) : TEXT.ranWorkflow(name)];
    }
    case 'comment':
      return [];
  }
}

function changeTexts(before: Data, after: Data): string[] {
  const status = CASE_STATUSES.find((one) => one === after.status);
  const reason = CASE_REASONS.find((one) => one === after.reason);
  const severity = SEVERITIES.find((one) => one === after.severity);
  return [
    ...(status === 'closed' && reason !== undefined ? [TEXT.closed(CASES_TEXT.reasons[reason])] : []),
    ...(status === undefined || status === 'closed'
      ? []
      : [before.status === 'closed' ? TEXT.reopened : TEXT.status(CASES_TEXT.statuses[status])]),
    ...(status === undefined && reason !== undefined ? [TEXT.reason(CASES_TEXT.reasons[reason])] : []),
    ...(severity === undefined ? [] : [TEXT.severity(PARTS_TEXT.severities[severity])]),
    ...('assignee' in after ? [assigneeText(after.assignee)] : []),
    ...('title' in after ? [TEXT.renamed(visible(String(after.title)))] : []),
    ...('description' in after ? [TEXT.description] : []),
  ];
}

function taskTexts(title: string, after: Data): string[] {
  return [
    ...('title' in after ? [TEXT.renamedTask(title)] : []),
    ...('done' in after ? [after.done === true ? TEXT.finishedTask(title) : TEXT.reopenedTask(title)] : []),
    ...('assignee' in after
      ? [after.assignee === null ? TEXT.unassignedTask(title) : TEXT.assignedTask(title, String(after.assignee))]
      : []),
  ];
}

function assigneeText(name: unknown): string {
  return name === null ? TEXT.unassigned : TEXT.assigned(String(name));
}

function named(value: unknown, name: string): string {
  return visible(String(recordOf(value)[name] ?? ''));
}

function recordOf(value: unknown): Data {
  return isRecord(value) ? value : {};
}
