import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CaseFigure } from '#schemas/api/case-figures.ts';
import { numberText } from '../../language/numbers.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import type { Column } from '../../parts/record-list.tsx';
import { type RowValue, rowValuesColumn } from '../../parts/row-values.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeText } from '../../parts/time-text.tsx';
import { columnText } from '../../parts/time-words.ts';
import { ValueActions } from '../../parts/value-actions.tsx';
import { visible } from '../../parts/visible.ts';
import type { Case } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const HEADERS = CASES_TEXT.columns;

export const CASE_TONES = { open: 'warning', in_progress: 'neutral', closed: 'good' } as const;

/** A value of a case with its menu. Outside of a row the value is the button of its menu. */
export function caseValue(
  one: Pick<Case, 'severity' | 'status' | 'assignee'>,
  name: 'severity' | 'status' | 'assignee',
  text: string | null,
  children: ReactNode,
  inRow = true,
): ReactNode {
  return (
    <ValueActions name={name} value={one[name]} shown={text} list="/cases" inRow={inRow} asButton={!inRow}>
      {children}
    </ValueActions>
  );
}

/** A number of a case with its menu. */
export function caseFigure(name: CaseFigure, value: number, children: ReactNode, inRow = true): ReactNode {
  const title = PARTS_TEXT.value.named(CASES_TEXT.filters.figures[name], numberText(value));
  return (
    <ValueActions name={name} by="figure" value={value} shown={title} title={title} list="/cases" inRow={inRow}>
      {children}
    </ValueActions>
  );
}

/** The time at which a case was opened, with its menu: the time range of the list is about it. */
export function caseOpened(at: string, children: ReactNode, inRow = true): ReactNode {
  return (
    <ValueActions
      name="createdAt"
      by="range"
      value={at}
      shown={() => columnText(new Date(at))}
      list="/cases"
      inRow={inRow}
    >
      {children}
    </ValueActions>
  );
}

/** The same values for the menu of a row on a phone. */
function caseValues(one: Case): readonly RowValue[] {
  const { severity, status, assignee, detections, tasks, tasksDone, createdAt } = one;
  const figure = (name: CaseFigure, value: number): RowValue => ({
    name,
    label: CASES_TEXT.filters.figures[name],
    value,
    shown: numberText(value),
    by: 'figure',
  });
  return [
    { name: 'severity', label: HEADERS.severity, value: severity, shown: PARTS_TEXT.severities[severity] },
    { name: 'status', label: HEADERS.status, value: status, shown: CASES_TEXT.statuses[status] },
    { name: 'assignee', label: HEADERS.assignee, value: assignee },
    figure('detections', detections),
    figure('openTasks', tasks - tasksDone),
    figure('doneTasks', tasksDone),
    { name: 'createdAt', label: HEADERS.opened, value: createdAt, shown: columnText(new Date(createdAt)), by: 'range' },
  ];
}

export const CASE_COLUMNS: readonly Column<Case>[] = [
  {
    id: 'severity',
    header: HEADERS.severity,
    width: '5.2rem',
    cell: (one) => {
      const text = PARTS_TEXT.severities[one.severity];
      return caseValue(one, 'severity', text, text);
    },
  },
  {
    id: 'case',
    header: HEADERS.case,
    width: 'minmax(0, 1fr)',
    cell: ({ id, number, title, status, createdAt }) => (
      <>
        <PageLink
          to="/cases/$id"
          params={{ id }}
          tabIndex={-1}
          size="sm"
          fw={500}
          display="block"
          truncate
          lh={1.25}
          onClick={(event) => event.stopPropagation()}
        >
          {visible(CASES_TEXT.name(number, title))}
        </PageLink>
        <PhoneLine>
          {CASES_TEXT.statuses[status]}, <TimeText at={createdAt} ago />
        </PhoneLine>
      </>
    ),
  },
  {
    id: 'status',
    header: HEADERS.status,
    width: '7rem',
    wideOnly: true,
    cell: (one) => {
      const text = CASES_TEXT.statuses[one.status];
      return caseValue(one, 'status', text, <StatusBadge text={text} tone={CASE_TONES[one.status]} />);
    },
  },
  {
    id: 'detections',
    header: HEADERS.detections,
    width: '6rem',
    align: 'end',
    wideOnly: 'desktop',
    cell: ({ detections }) => caseFigure('detections', detections, <Text size="sm">{numberText(detections)}</Text>),
  },
  {
    id: 'tasks',
    header: HEADERS.tasks,
    width: '5rem',
    wideOnly: 'desktop',
    cell: ({ tasks, tasksDone }) =>
      caseFigure('openTasks', tasks - tasksDone, <Text size="sm">{CASES_TEXT.tasksDone(tasksDone, tasks)}</Text>),
  },
  {
    id: 'assignee',
    header: HEADERS.assignee,
    width: '8rem',
    wideOnly: true,
    cell: (one) =>
      caseValue(
        one,
        'assignee',
        one.assignee,
        <Text size="sm" truncate>
          {one.assignee ?? '–'}
        </Text>,
      ),
  },
  {
    id: 'opened',
    header: HEADERS.opened,
    width: '7.5rem',
    wideOnly: true,
    cell: ({ createdAt }) => caseOpened(createdAt, <TimeText at={createdAt} ago />),
  },
  rowValuesColumn<Case>({
    list: '/cases',
    titleOf: ({ number, title }) => visible(CASES_TEXT.name(number, title)),
    valuesOf: caseValues,
    subjectOf: () => ({}),
  }),
];
