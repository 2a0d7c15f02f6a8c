import type { ReactNode } from 'react';
import type { CaseFigure } from '#schemas/api/case-figures.ts';
import { numberText } from '../../language/numbers.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeText } from '../../parts/time/time-text.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { type CellValue, timeValue, valueColumns } from '../../parts/values/value-columns.tsx';
import { visible } from '../../parts/visible.ts';
import type { Case } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const HEADERS = CASES_TEXT.columns;

export const CASE_TONES = { open: 'warning', in_progress: 'active', closed: 'good' } as const;

/** A value of a case. It is the button of its menu. */
export function caseValue(
  one: Pick<Case, 'severity' | 'status'>,
  name: 'severity' | 'status',
  text: string,
  children: ReactNode,
): ReactNode {
  return (
    <ValueActions name={name} value={one[name]} shown={text} list="/cases" asButton>
      {children}
    </ValueActions>
  );
}

/** A number of a case with its menu. */
export function caseFigure(name: CaseFigure, value: number): ReactNode {
  const title = PARTS_TEXT.value.named(CASES_TEXT.filters.figures[name], numberText(value));
  return (
    <ValueActions name={name} by="figure" value={value} shown={title} title={title} list="/cases">
      {numberText(value)}
    </ValueActions>
  );
}

/** The time at which a case was opened. Its menu sets the time range of the list. */
const openedValue = (at: string) => timeValue('createdAt', at, { by: 'range', list: '/cases' });

/** The time at which a case was opened, with its menu. */
export function caseOpened(at: string, children: ReactNode): ReactNode {
  return <ValueActions {...openedValue(at)}>{children}</ValueActions>;
}

const figureValue = (name: CaseFigure, value: number): CellValue => ({
  name,
  label: CASES_TEXT.filters.figures[name],
  value,
  shown: numberText(value),
  by: 'figure',
});

export const CASE_COLUMNS = valueColumns<Case>(
  { list: '/cases', titleOf: ({ number, title }) => CASES_TEXT.name(number, title) },
  [
    {
      id: 'severity',
      header: HEADERS.severity,
      width: '5.2rem',
      valuesOf: ({ severity }) => ({ name: 'severity', value: severity, shown: PARTS_TEXT.severities[severity] }),
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
      valuesOf: ({ status }) => ({ name: 'status', value: status, shown: CASES_TEXT.statuses[status] }),
      cell: ({ status }) => <StatusBadge text={CASES_TEXT.statuses[status]} tone={CASE_TONES[status]} />,
    },
    {
      id: 'detections',
      header: HEADERS.detections,
      width: '6rem',
      align: 'end',
      wideOnly: 'desktop',
      valuesOf: ({ detections }) => figureValue('detections', detections),
    },
    {
      id: 'tasks',
      header: HEADERS.tasks,
      width: '5rem',
      wideOnly: 'desktop',
      valuesOf: ({ tasks, tasksDone }) => [
        figureValue('openTasks', tasks - tasksDone),
        figureValue('doneTasks', tasksDone),
      ],
      cell: ({ tasks, tasksDone }) => CASES_TEXT.tasksDone(tasksDone, tasks),
    },
    {
      id: 'assignee',
      header: HEADERS.assignee,
      width: '8rem',
      wideOnly: true,
      valuesOf: ({ assignee }) => ({ name: 'assignee', value: assignee }),
      cell: ({ assignee }) => assignee ?? '–',
    },
    {
      id: 'opened',
      header: HEADERS.opened,
      width: '7.5rem',
      wideOnly: true,
      valuesOf: ({ createdAt }) => openedValue(createdAt),
      cell: ({ createdAt }) => <TimeText at={createdAt} ago />,
    },
  ],
);
