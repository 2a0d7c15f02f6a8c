import type { z } from 'zod';
import type { Happening, wholeCaseSchema } from '#schemas/api/cases.ts';
import type { Detection } from '#schemas/detection.ts';
import { detectionMarkdown } from './detection-markdown.ts';
import { markdownCode, markdownQuote, markdownText } from './markdown-text.ts';
import { capitalised, timeText } from './words.ts';

type WholeCase = z.output<typeof wholeCaseSchema>;

export interface CaseReportParts {
  readonly of: WholeCase;
  /** In the order of the case, without those that are no longer stored. */
  readonly detections: readonly Omit<Detection, 'event'>[];
  readonly timeline: { readonly happenings: readonly Happening[]; readonly complete: boolean };
  /** Public URL of the server, without a trailing slash. */
  readonly publicUrl: string;
  readonly at: Date;
}

/** Renders the report of a case as Markdown: facts, tasks, detections, files and the timeline. */
export function caseReport({ of, detections, timeline, publicUrl, at }: CaseReportParts): string {
  const { number, title, description, taskList, files, detectionIds } = of;
  const missing = detectionIds.length - detections.length;
  return [
    `# Case ${number}: ${markdownText(title)}`,
    '',
    ...(description === null ? [] : [markdownQuote(description), '']),
    '| Fact | Value |',
    '| --- | --- |',
    ...factsOf(of).map(([name, value]) => `| ${name} | ${value} |`),
    '',
    '## Tasks',
    '',
    ...(taskList.length === 0
      ? ['None.']
      : taskList.map(
          ({ title: task, done, assignee }) =>
            `- [${done ? 'x' : ' '}] ${markdownText(task)}${assignee === null ? '' : ` (${markdownText(assignee)})`}`,
        )),
    '',
    '## Detections',
    '',
    ...(detectionIds.length === 0 ? ['None.', ''] : []),
    ...detections.map((detection) =>
      detectionMarkdown(detection, { link: `${publicUrl}/detections/${detection.id}`, evidence: undefined, level: 3 }),
    ),
    ...(missing > 0 ? [`${missing} of the detections are no longer stored.`, ''] : []),
    '## Evidence files',
    '',
    ...(files.length === 0
      ? ['None.']
      : [
          '| File | Bytes | SHA-256 | Added |',
          '| --- | --- | --- | --- |',
          ...files.map(
            ({ filename, size, sha256, addedAt }) =>
              `| ${markdownCode(filename)} | ${size} | ${markdownCode(sha256)} | ${timeText(addedAt)} |`,
          ),
        ]),
    '',
    '## Timeline',
    '',
    ...(timeline.complete ? [] : ['The oldest entries are left out.', '']),
    ...timeline.happenings.flatMap(linesOf),
    '',
    `Written on ${timeText(at.toISOString())}. [Open in Trapline](${publicUrl}/cases/${of.id})`,
    '',
  ].join('\n');
}

function factsOf(of: WholeCase): [name: string, value: string][] {
  const { severity, status, reason, assignee, createdAt, acknowledgedAt, closedAt, campaign } = of;
  const { timeToAcknowledge, timeToClose } = of;
  const after = (at: string | null, seconds: number | null) =>
    at === null ? 'not yet' : `${timeText(at)} (after ${durationText(seconds ?? 0)})`;
  return [
    ['Severity', capitalised(severity)],
    ['Status', `${capitalised(status)}${reason === null ? '' : `: ${words(reason)}`}`],
    ['Assignee', assignee === null ? 'not assigned' : markdownText(assignee)],
    ['Opened', timeText(createdAt)],
    ['Acknowledged', after(acknowledgedAt, timeToAcknowledge)],
    ['Closed', after(closedAt, timeToClose)],
    ...(campaign === null ? [] : [['Campaign', markdownCode(campaign)] satisfies [string, string]]),
  ];
}

/** Returns one timeline entry as a list item. */
function linesOf({ at, actor, username, kind, data }: Happening): string[] {
  const by = markdownText(username ?? actor);
  return [`- ${timeText(at)} **${by}**: ${textOf(kind, data)}`];
}

function textOf(kind: Happening['kind'], data: Readonly<Record<string, unknown>>): string {
  const named = (value: unknown, name: string) =>
    markdownText(String((value as Record<string, unknown>)?.[name] ?? ''));
  switch (kind) {
    case 'created':
      return 'opened the case';
    case 'changed':
      return changesText(data.before as Record<string, unknown>, data.after as Record<string, unknown>);
    case 'detections_added':
      return `added ${(data.detections as readonly string[]).map(markdownCode).join(', ')}`;
    case 'detection_removed':
      return `removed ${(data.detections as readonly string[]).map(markdownCode).join(', ')}`;
    case 'task_added':
      return `added the task ${named(data.task, 'title')}`;
    case 'task_changed':
      return taskText(
        named(data.task, 'title'),
        data.before as Record<string, unknown>,
        data.after as Record<string, unknown>,
      );
    case 'task_removed':
      return `removed the task ${named(data.task, 'title')}`;
    case 'file_added':
      return `added the file ${named(data.file, 'filename')} (SHA-256 ${named(data.file, 'sha256')})`;
    case 'file_removed':
      return `removed the file ${named(data.file, 'filename')} (SHA-256 ${named(data.file, 'sha256')})`;
    case 'execution_linked':
      return `started ${named(data.execution, 'kind')} ${named(data.execution, 'name')} (${named(data.execution, 'executionId')})`;
    case 'comment': {
      const { text } = data.comment as { readonly text: string | null };
      return text === null ? 'deleted a comment' : `commented  \n${markdownQuote(text).replaceAll(/^/gm, '  ')}`;
    }
  }
}

/** Describes ticking and assigning a task as sentences, and other changes by name. */
function taskText(
  title: string,
  before: Readonly<Record<string, unknown>>,
  { done, assignee, ...after }: Readonly<Record<string, unknown>>,
): string {
  const assigned =
    assignee === null
      ? `removed the assignee of the task ${title}`
      : `assigned the task ${title} to ${markdownText(String(assignee))}`;
  return [
    ...(done === undefined ? [] : [`${done === true ? 'finished' : 'reopened'} the task ${title}`]),
    ...(assignee === undefined ? [] : [assigned]),
    ...(Object.keys(after).length === 0 ? [] : [`task ${title}: ${changesText(before, after)}`]),
  ].join('; ');
}

function changesText(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string {
  const shown = (value: unknown) =>
    value === null || value === undefined ? 'none' : markdownText(words(String(value)));
  return Object.keys(after)
    .map((name) => `${words(name)} from ${shown(before[name])} to ${shown(after[name])}`)
    .join('; ');
}

function words(value: string): string {
  return value.replaceAll('_', ' ');
}

/** Formats seconds for people: `1 d 2 h`, `5 min 3 s`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor((whole % 86_400) / 3_600), 'h'],
    [Math.floor((whole % 3_600) / 60), 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
