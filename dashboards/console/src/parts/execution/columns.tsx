import { TimeText } from '../time/time-text.tsx';
import { type CellValue, timeValue, type ValueColumn } from '../values/value-columns.tsx';
import { type Started, starterText } from './starter.ts';
import { ExecutionStatus } from './status.tsx';
import { EXECUTION_TEXT } from './text.ts';

/** The status of an execution. The list defines `by` and the other filter properties. */
export function statusColumn<Row extends { readonly status: string }>(
  header: string,
  width: string,
  filter: Pick<CellValue, 'by' | 'among' | 'list'>,
): ValueColumn<Row> {
  return {
    id: 'status',
    header,
    width,
    valuesOf: ({ status }) => ({
      name: 'status',
      value: status,
      shown: EXECUTION_TEXT.statuses[status] ?? status,
      ...filter,
    }),
    cell: ({ status }) => <ExecutionStatus status={status} />,
  };
}

/** Start time of an execution. */
export function startedColumn<Row extends { readonly createdAt: string }>(header: string): ValueColumn<Row> {
  return {
    id: 'at',
    header,
    width: '7rem',
    valuesOf: ({ createdAt }) => timeValue('createdAt', createdAt),
    cell: ({ createdAt }) => <TimeText at={createdAt} ago />,
    wideOnly: true,
  };
}

/** Starter of an execution. `linksUsers`: the menu links to the account, which only administrators may see. */
export function starterColumn<Row extends Started>(
  header: string,
  width: string,
  { linksUsers }: { readonly linksUsers: boolean },
): ValueColumn<Row> {
  return {
    id: 'by',
    header,
    width,
    valuesOf: ({ triggerType, startedBy }) => {
      const text = starterText({ triggerType, startedBy });
      const user = startedBy?.user ?? null;
      return {
        name: 'startedBy',
        value: user?.username ?? text,
        shown: text,
        list: null,
        ...(linksUsers && user !== null ? { page: { kind: 'user', id: user.id } } : {}),
      };
    },
    wideOnly: true,
  };
}
