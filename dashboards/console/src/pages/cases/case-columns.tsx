import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { numberText } from '../../language/numbers.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import type { Column } from '../../parts/record-list.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeText } from '../../parts/time-text.tsx';
import { ValueActions } from '../../parts/value-actions.tsx';
import { visible } from '../../parts/visible.ts';
import type { Case } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const HEADERS = CASES_TEXT.columns;

export const CASE_TONES = { open: 'warning', in_progress: 'neutral', closed: 'good' } as const;

/** A value of a case with its menu. */
function valueCell(
  one: Case,
  name: 'severity' | 'status' | 'assignee',
  text: string | null,
  children: ReactNode,
): ReactNode {
  return (
    <ValueActions name={name} value={one[name]} shown={text} list="/cases" inRow>
      {children}
    </ValueActions>
  );
}

export const CASE_COLUMNS: readonly Column<Case>[] = [
  {
    id: 'severity',
    header: HEADERS.severity,
    width: '5.2rem',
    cell: (one) => {
      const text = PARTS_TEXT.severities[one.severity];
      return valueCell(one, 'severity', text, text);
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
      return valueCell(one, 'status', text, <StatusBadge text={text} tone={CASE_TONES[one.status]} />);
    },
  },
  {
    id: 'detections',
    header: HEADERS.detections,
    width: '6rem',
    align: 'end',
    wideOnly: 'desktop',
    cell: ({ detections }) => <Text size="sm">{numberText(detections)}</Text>,
  },
  {
    id: 'tasks',
    header: HEADERS.tasks,
    width: '5rem',
    wideOnly: 'desktop',
    cell: ({ tasks, tasksDone }) => <Text size="sm">{CASES_TEXT.tasksDone(tasksDone, tasks)}</Text>,
  },
  {
    id: 'assignee',
    header: HEADERS.assignee,
    width: '8rem',
    wideOnly: true,
    cell: (one) =>
      valueCell(
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
    cell: ({ createdAt }) => <TimeText at={createdAt} ago />,
  },
];
