import { Button, Chip, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { durationText } from '../../parts/execution/duration.ts';
import { ExecutionStatus } from '../../parts/execution/status.tsx';
import { type Column, RecordList } from '../../parts/record-list.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { executionsList, type ListedExecution, type Workflow } from './queries.ts';

const workflowRoute = getRouteApi('/_signed-in/workflows/$id');

const COLUMNS: readonly Column<ListedExecution>[] = [
  { id: 'status', header: 'State', width: '6.5rem', cell: ({ status }) => <ExecutionStatus status={status} /> },
  { id: 'at', header: 'Begun', width: '7rem', cell: ({ createdAt }) => <TimeText at={createdAt} ago /> },
  {
    id: 'took',
    header: 'Took',
    width: '6rem',
    cell: ({ durationMs }) => (durationMs === undefined ? '' : durationText(durationMs)),
    wideOnly: true,
  },
  { id: 'by', header: 'By', width: '6rem', cell: ({ triggerType }) => triggerType, wideOnly: true },
  { id: 'error', header: 'Error', width: 'minmax(5rem, 2fr)', cell: ({ error }) => error ?? '' },
  {
    id: 'id',
    header: 'Id',
    width: 'minmax(8rem, 1fr)',
    cell: ({ id }) => <span className="tl-mono">{id}</span>,
    wideOnly: true,
  },
];

export function ExecutionsTab({ workflow: { name } }: { readonly workflow: Workflow }) {
  const { status } = workflowRoute.useSearch();
  const navigate = useNavigate({ from: '/workflows/$id' });
  const query = useInfiniteQuery(executionsList(name, status));
  return (
    <>
      <Group mb="sm" gap="xs" role="group" aria-label="Only in these states">
        <Chip.Group
          multiple
          value={[...(status ?? [])]}
          onChange={(chosen) => {
            const wanted = EXECUTION_STATUSES.filter((one) => chosen.includes(one));
            void navigate({ search: { tab: 'executions', ...(wanted.length > 0 && { status: wanted }) } });
          }}
        >
          {EXECUTION_STATUSES.map((one) => (
            <Chip key={one} value={one} size="xs" variant="outline">
              {one}
            </Chip>
          ))}
        </Chip.Group>
        <Button size="compact-sm" variant="default" onClick={() => void query.refetch()} loading={query.isRefetching}>
          Look again
        </Button>
      </Group>
      <RecordList
        label="Executions"
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/executions/$id', params: { id } })}
        empty={status === undefined ? 'It has not been run yet.' : 'None is in these states.'}
      />
    </>
  );
}
