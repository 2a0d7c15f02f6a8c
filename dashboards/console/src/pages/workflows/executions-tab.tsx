import { Button, Chip, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { may } from '../../api/session.ts';
import { useProfile } from '../../app/use-profile.ts';
import { startedColumn, starterColumn, statusColumn } from '../../parts/execution/columns.tsx';
import { durationText } from '../../parts/execution/duration.ts';
import { EXECUTION_TEXT } from '../../parts/execution/text.ts';
import { RecordList } from '../../parts/list/record-list.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { valueColumns } from '../../parts/values/value-columns.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { executionsList, type ListedExecution, type Workflow } from './queries.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.executions;
const workflowRoute = getRouteApi('/_signed-in/workflows/$id');

const columnsFor = (linksUsers: boolean) =>
  valueColumns<ListedExecution>({ titleOf: ({ id }) => id }, [
    {
      ...statusColumn(TEXT.columns.status, '7.5rem', { by: 'choice', among: EXECUTION_STATUSES, list: 'here' }),
      phoneLine: ({ createdAt }) => <TimeText at={createdAt} ago />,
    },
    startedColumn(TEXT.columns.started),
    {
      id: 'took',
      header: TEXT.columns.duration,
      width: '6rem',
      valuesOf: ({ durationMs }) => ({
        name: 'duration',
        value: durationMs,
        shown: durationMs === undefined ? '' : durationText(durationMs),
      }),
      wideOnly: true,
    },
    starterColumn(TEXT.columns.startedBy, 'minmax(8rem, 1.5fr)', { linksUsers }),
    {
      id: 'error',
      header: TEXT.columns.error,
      width: 'minmax(5rem, 2fr)',
      valuesOf: ({ error }) => ({ name: 'error', value: error }),
    },
    {
      id: 'id',
      header: TEXT.columns.id,
      width: 'minmax(8rem, 1fr)',
      valuesOf: ({ id }) => ({ name: 'id', value: id }),
      cell: ({ id }) => <span className="tl-mono">{id}</span>,
      wideOnly: true,
    },
  ]);
const COLUMNS = columnsFor(false);
const COLUMNS_OF_ADMINISTRATORS = columnsFor(true);

export function ExecutionsTab({ workflow: { name } }: { readonly workflow: Workflow }) {
  const administrator = may(useProfile(), 'admin');
  const { status } = workflowRoute.useSearch();
  const navigate = useNavigate({ from: '/workflows/$id' });
  const query = useInfiniteQuery(executionsList(name, status));
  return (
    <>
      <Group mb="sm" gap="xs" role="group" aria-label={TEXT.statuses}>
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
              {EXECUTION_TEXT.statuses[one] ?? one}
            </Chip>
          ))}
        </Chip.Group>
        <Button size="compact-sm" variant="default" onClick={() => void query.refetch()} loading={query.isRefetching}>
          {TEXT.refresh}
        </Button>
      </Group>
      <BulkActions workflow={name} statuses={status} />
      <RecordList
        label={TEXT.list}
        columns={administrator ? COLUMNS_OF_ADMINISTRATORS : COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/executions/$id', params: { id } })}
        empty={status === undefined ? TEXT.empty : TEXT.noMatch}
      />
    </>
  );
}
