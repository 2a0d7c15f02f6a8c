import { Checkbox, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { APP_TEXT } from '../../../app/text.ts';
import { INTEGRITY } from '../../../pages/agents/integrity.ts';
import { NewAgent } from '../../../pages/agents/new-agent.tsx';
import { agentsList, type ListedAgent } from '../../../pages/agents/queries.ts';
import { AGENTS_TEXT } from '../../../pages/agents/text.ts';
import { CreateButton } from '../../../parts/create-button.tsx';
import { SearchBox } from '../../../parts/filters/search-box.tsx';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../../parts/values/value-columns.tsx';

export const Route = createFileRoute('/_signed-in/agents/')({
  staticData: {
    section: { group: 'Automation', order: 4, label: APP_TEXT.sections.agents, role: 'user', keys: 'g a' },
  },
  validateSearch: onlyRead((given: Record<string, unknown>): { readonly search?: string; readonly archived?: true } => {
    const search = textParam(given.search);
    return { ...(search === undefined ? {} : { search }), ...(given.archived === true ? { archived: true } : {}) };
  }),
  component: AgentsPage,
});

const TEXT = AGENTS_TEXT;

const COLUMNS = valueColumns<ListedAgent>({ titleOf: ({ name }) => name }, [
  {
    id: 'name',
    header: TEXT.columns.name,
    width: 'minmax(6rem, 2fr)',
    valuesOf: ({ name, slug }) => ({ name: 'name', value: name, page: { kind: 'agent', id: slug } }),
    cell: ({ name, archived }) => (
      <>
        <b>{name}</b> {archived && <StatusBadge text={TEXT.archived} />}
      </>
    ),
  },
  {
    id: 'about',
    header: TEXT.columns.description,
    width: 'minmax(8rem, 4fr)',
    valuesOf: ({ description }) => ({ name: 'description', value: description }),
    wideOnly: true,
  },
  {
    id: 'source',
    header: TEXT.columns.workspace,
    width: '8.5rem',
    valuesOf: ({ sourceIntegrity }) => ({
      name: 'workspace',
      value: sourceIntegrity,
      shown: INTEGRITY[sourceIntegrity].text,
    }),
    cell: ({ sourceIntegrity }) => <StatusBadge {...INTEGRITY[sourceIntegrity]} />,
  },
  {
    id: 'runs',
    header: TEXT.columns.runs,
    width: '4rem',
    align: 'end',
    valuesOf: ({ stats }) => ({ name: 'runs', value: stats.totalExecutions }),
    wideOnly: true,
  },
  {
    id: 'last',
    header: TEXT.columns.last,
    width: '9rem',
    valuesOf: ({ stats: { lastExecutionAt } }) => timeValue('lastRun', lastExecutionAt),
    cell: ({ stats: { lastExecutionAt } }) =>
      lastExecutionAt === null ? TEXT.never : <TimeText at={lastExecutionAt} ago />,
    wideOnly: true,
  },
]);

function AgentsPage() {
  const search = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
  const query = useInfiniteQuery(agentsList(search));
  const [adding, add] = useDisclosure();
  useShortcuts([{ keys: 'n', does: TEXT.create, run: add.open }]);
  return (
    <Page title={TEXT.title} actions={<CreateButton onClick={add.open}>{TEXT.create}</CreateButton>}>
      <Group mb="sm" align="flex-end">
        <SearchBox
          label={TEXT.search}
          value={search.search}
          onChange={(text) =>
            void navigate({
              search: ({ archived }) => ({ ...(archived && { archived }), ...(text && { search: text }) }),
              replace: true,
            })
          }
        />
        <Checkbox
          label={TEXT.showArchived}
          mb={8}
          checked={search.archived ?? false}
          onChange={({ currentTarget: { checked } }) =>
            void navigate({
              search: ({ search: text }) => ({
                ...(text && { search: text }),
                ...(checked && { archived: true as const }),
              }),
            })
          }
        />
      </Group>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ slug }) => void navigate({ to: '/agents/$id', params: { id: slug }, search: {} })}
        empty={search.search === undefined ? TEXT.empty : TEXT.noMatch}
      />
      <NewAgent opened={adding} onClose={add.close} />
    </Page>
  );
}
