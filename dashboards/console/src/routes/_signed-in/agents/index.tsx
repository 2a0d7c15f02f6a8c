import { Button, Checkbox, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { APP_TEXT } from '../../../app/text.ts';
import { INTEGRITY } from '../../../pages/agents/integrity.ts';
import { NewAgent } from '../../../pages/agents/new-agent.tsx';
import { agentsList, type ListedAgent } from '../../../pages/agents/queries.ts';
import { Page } from '../../../parts/page.tsx';
import { type Column, RecordList } from '../../../parts/record-list.tsx';
import { SearchBox } from '../../../parts/search-box.tsx';
import { onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { TimeText } from '../../../parts/time-text.tsx';

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

const COLUMNS: readonly Column<ListedAgent>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(6rem, 2fr)',
    cell: ({ name, archived }) => (
      <>
        <b>{name}</b> {archived && <StatusBadge text="archived" />}
      </>
    ),
  },
  {
    id: 'about',
    header: 'What it does',
    width: 'minmax(8rem, 4fr)',
    cell: ({ description }) => description,
    wideOnly: true,
  },
  {
    id: 'source',
    header: 'Workspace',
    width: '8.5rem',
    cell: ({ sourceIntegrity }) => <StatusBadge {...INTEGRITY[sourceIntegrity]} />,
  },
  { id: 'runs', header: 'Runs', width: '3.5rem', cell: ({ stats }) => stats.totalExecutions },
  {
    id: 'last',
    header: 'Last',
    width: '9rem',
    cell: ({ stats: { lastExecutionAt } }) =>
      lastExecutionAt === null ? 'never' : <TimeText at={lastExecutionAt} ago />,
    wideOnly: true,
  },
];

function AgentsPage() {
  const search = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
  const query = useInfiniteQuery(agentsList(search));
  const [adding, add] = useDisclosure();
  useShortcuts([{ keys: 'n', does: 'New agent', run: add.open }]);
  return (
    <Page title="Agents" actions={<Button onClick={add.open}>New agent</Button>}>
      <Group mb="sm" align="flex-end">
        <SearchBox
          label="Search"
          value={search.search}
          onChange={(text) =>
            void navigate({
              search: ({ archived }) => ({ ...(archived && { archived }), ...(text && { search: text }) }),
              replace: true,
            })
          }
        />
        <Checkbox
          label="Archived ones too"
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
        label="Agents"
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ slug }) => void navigate({ to: '/agents/$id', params: { id: slug }, search: {} })}
        empty={
          search.search === undefined
            ? 'There is no agent yet. Make one here, or push an example: trapline agents push examples/agents/triage'
            : 'No agent is like this. Search for less.'
        }
      />
      <NewAgent opened={adding} onClose={add.close} />
    </Page>
  );
}
