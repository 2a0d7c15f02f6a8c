import { Group, NativeSelect, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { APP_TEXT } from '../../../app/text.ts';
import { NewWorkflow } from '../../../pages/workflows/new-workflow.tsx';
import { type ListedWorkflow, workflowsList } from '../../../pages/workflows/queries.ts';
import { type ListSearch, WORKFLOW_KINDS } from '../../../pages/workflows/search.ts';
import { WORKFLOWS_TEXT } from '../../../pages/workflows/text.ts';
import { CreateButton } from '../../../parts/create-button.tsx';
import { SearchBox } from '../../../parts/filters/search-box.tsx';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { choiceParam, onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../../parts/values/value-columns.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/workflows/')({
  staticData: {
    section: { group: 'Automation', order: 1, label: APP_TEXT.sections.workflows, role: 'user', keys: 'g w' },
  },
  validateSearch: onlyRead((given: Record<string, unknown>): ListSearch => {
    const [search, kind] = [textParam(given.search), choiceParam(given.kind, WORKFLOW_KINDS)];
    return { ...(search === undefined ? {} : { search }), ...(kind === undefined ? {} : { kind }) };
  }),
  component: WorkflowsPage,
});

const TEXT = WORKFLOWS_TEXT;

const COLUMNS = valueColumns<ListedWorkflow>({ list: '/workflows', titleOf: ({ name }) => name }, [
  {
    id: 'name',
    header: TEXT.columns.name,
    width: 'minmax(6rem, 1.3fr)',
    valuesOf: ({ name }) => ({ name: 'name', value: name, list: null, page: { kind: 'workflow', id: name } }),
    cell: ({ name }) => (
      <Text span inherit fw={500}>
        {name}
      </Text>
    ),
    phoneLine: ({ title, updatedAt }) => (
      <>
        {title !== undefined && `${visible(title)}, `}
        <TimeText at={updatedAt} ago />
      </>
    ),
  },
  {
    id: 'title',
    header: TEXT.columns.title,
    width: 'minmax(6rem, 2fr)',
    valuesOf: ({ title }) => ({ name: 'title', value: title, list: null }),
    cell: ({ title }) => title ?? '–',
    wideOnly: true,
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
      among: WORKFLOW_KINDS,
    }),
    wideOnly: true,
  },
  {
    id: 'version',
    header: TEXT.columns.version,
    width: '5rem',
    align: 'end',
    valuesOf: ({ version }) => ({ name: 'version', value: version, list: null }),
  },
  {
    id: 'updated',
    header: TEXT.columns.released,
    width: '7rem',
    valuesOf: ({ updatedAt }) => timeValue('released', updatedAt),
    cell: ({ updatedAt }) => <TimeText at={updatedAt} ago />,
    wideOnly: true,
  },
]);

function WorkflowsPage() {
  const search = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
  const query = useInfiniteQuery(workflowsList(search));
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
              search: ({ kind }) => ({ ...(kind && { kind }), ...(text && { search: text }) }),
              replace: true,
            })
          }
        />
        <NativeSelect
          label={TEXT.filters.kind}
          value={search.kind ?? ''}
          data={[
            { value: '', label: TEXT.filters.any },
            ...WORKFLOW_KINDS.map((value) => ({ value, label: TEXT.kinds[value] ?? value })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const kind = choiceParam(value, WORKFLOW_KINDS);
            void navigate({ search: ({ search: text }) => ({ ...(text && { search: text }), ...(kind && { kind }) }) });
          }}
        />
      </Group>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ name }) => void navigate({ to: '/workflows/$id', params: { id: name }, search: {} })}
        empty={search.search || search.kind ? TEXT.noMatch : TEXT.empty}
      />
      <NewWorkflow opened={adding} onClose={add.close} />
    </Page>
  );
}
