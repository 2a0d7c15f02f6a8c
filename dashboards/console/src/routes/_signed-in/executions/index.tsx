import { Chip, Group, NativeSelect, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { may } from '../../../api/session.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { useProfile } from '../../../app/use-profile.ts';
import { type RecentExecution, recentList } from '../../../pages/executions/queries.ts';
import { EXECUTION_KINDS, type RecentSearch } from '../../../pages/executions/search.ts';
import { EXECUTIONS_TEXT } from '../../../pages/executions/text.ts';
import { startedColumn, starterColumn, statusColumn } from '../../../parts/execution/columns.tsx';
import { EXECUTION_TEXT } from '../../../parts/execution/text.ts';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { RefreshButton } from '../../../parts/refresh-button.tsx';
import { choiceParam, choicesParam, onlyRead } from '../../../parts/search-params.ts';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { valueColumns } from '../../../parts/values/value-columns.tsx';

export const Route = createFileRoute('/_signed-in/executions/')({
  staticData: {
    section: { group: 'Automation', order: 2, label: APP_TEXT.sections.executions, role: 'user', keys: 'g v' },
  },
  validateSearch: onlyRead((given: Record<string, unknown>): RecentSearch => {
    const [kind, status] = [choiceParam(given.kind, EXECUTION_KINDS), choicesParam(given.status, EXECUTION_STATUSES)];
    return { ...(kind === undefined ? {} : { kind }), ...(status === undefined ? {} : { status }) };
  }),
  component: RecentPage,
});

const TEXT = EXECUTIONS_TEXT;

const columnsFor = (linksUsers: boolean) =>
  valueColumns<RecentExecution>({ list: '/executions', titleOf: ({ name }) => name }, [
    statusColumn(TEXT.columns.status, '8.5rem', { by: 'choice', among: EXECUTION_STATUSES }),
    {
      id: 'name',
      header: TEXT.columns.name,
      width: 'minmax(5.5rem, 1fr)',
      valuesOf: ({ name, kind }) => ({ name: 'name', value: name, list: null, page: { kind, id: name } }),
      cell: ({ name }) => (
        <Text span inherit fw={500}>
          {name}
        </Text>
      ),
      phoneLine: ({ createdAt }) => <TimeText at={createdAt} ago />,
    },
    {
      id: 'kind',
      header: TEXT.columns.kind,
      width: '6rem',
      valuesOf: ({ kind }) => ({
        name: 'kind',
        value: kind,
        shown: TEXT.kinds[kind] ?? kind,
        by: 'choice',
        among: EXECUTION_KINDS,
      }),
      wideOnly: true,
    },
    startedColumn(TEXT.columns.started),
    starterColumn(TEXT.columns.startedBy, 'minmax(8rem, 1.5fr)', { linksUsers }),
    {
      id: 'error',
      header: TEXT.columns.error,
      width: 'minmax(6rem, 2fr)',
      valuesOf: ({ error }) => ({ name: 'error', value: error, list: null }),
      wideOnly: true,
    },
  ]);

const COLUMNS = columnsFor(false);
const COLUMNS_OF_ADMINISTRATORS = columnsFor(true);

/** Executions of all workflows and agents, newest first. */
function RecentPage() {
  const administrator = may(useProfile(), 'admin');
  const search = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
  const query = useInfiniteQuery(recentList(search));
  return (
    <Page title={TEXT.title} actions={<RefreshButton query={query}>{TEXT.refresh}</RefreshButton>}>
      <Group mb="sm" align="flex-end" gap="sm">
        <NativeSelect
          label={TEXT.filters.kind}
          value={search.kind ?? ''}
          data={[
            { value: '', label: TEXT.filters.kinds.any },
            { value: 'workflow', label: TEXT.filters.kinds.workflow },
            { value: 'agent', label: TEXT.filters.kinds.agent },
          ]}
          onChange={({ currentTarget: { value } }) => {
            const kind = choiceParam(value, EXECUTION_KINDS);
            void navigate({ search: ({ status }) => ({ ...(status && { status }), ...(kind && { kind }) }) });
          }}
        />
        <Group gap="xs" mih="2rem" role="group" aria-label={TEXT.filters.statuses}>
          <Chip.Group
            multiple
            value={[...(search.status ?? [])]}
            onChange={(chosen) => {
              const status = EXECUTION_STATUSES.filter((one) => chosen.includes(one));
              void navigate({
                search: ({ kind }) => ({ ...(kind && { kind }), ...(status.length > 0 && { status }) }),
              });
            }}
          >
            {EXECUTION_STATUSES.map((one) => (
              <Chip key={one} value={one} size="xs" variant="outline">
                {EXECUTION_TEXT.statuses[one] ?? one}
              </Chip>
            ))}
          </Chip.Group>
        </Group>
      </Group>
      <RecordList
        label={TEXT.list}
        columns={administrator ? COLUMNS_OF_ADMINISTRATORS : COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id, kind, name }) =>
          void (kind === 'workflow'
            ? navigate({ to: '/executions/$id', params: { id } })
            : navigate({ to: '/agents/$id/executions/$execution', params: { id: name, execution: id } }))
        }
        empty={search.kind === undefined && (search.status ?? []).length === 0 ? TEXT.none : TEXT.empty}
      />
    </Page>
  );
}
