import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { cursorList } from '../../../api/lists.ts';
import { useRuleTitle } from '../../../api/rules.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { DeliveryState } from '../../../pages/outputs/delivery-state.tsx';
import { filterText } from '../../../pages/outputs/filter-text.ts';
import type { Output } from '../../../pages/outputs/output.ts';
import { useKindLabel } from '../../../pages/outputs/output-kinds.ts';
import { OUTPUT_TEXT } from '../../../pages/outputs/text.ts';
import { AdminsOnly } from '../../../parts/admins-only.tsx';
import { CreateButton } from '../../../parts/create-button.tsx';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../../parts/values/value-columns.tsx';

export const Route = createFileRoute('/_signed-in/outputs/')({
  staticData: {
    section: { group: 'Administration', order: 5, label: APP_TEXT.sections.outputs, role: 'admin', keys: 'g o' },
  },
  component: OutputsPage,
});

const TEXT = OUTPUT_TEXT.columns;

const columns = (labelOf: (type: string) => string, titleOf: (rule: string) => string) =>
  valueColumns<Output>({ titleOf: ({ name }) => name }, [
    {
      id: 'name',
      header: TEXT.name,
      width: 'minmax(6rem, 1fr)',
      valuesOf: ({ id, name }) => ({ name: 'name', value: name, page: { kind: 'output', id } }),
    },
    {
      id: 'type',
      header: TEXT.kind,
      width: '6rem',
      wideOnly: true,
      valuesOf: ({ type }) => ({ name: 'type', value: type, shown: labelOf(type) }),
    },
    { id: 'state', header: TEXT.state, width: 'minmax(9rem, 1fr)', cell: ({ id }) => <DeliveryState id={id} /> },
    {
      id: 'filter',
      header: TEXT.filter,
      width: 'minmax(8rem, 1.5fr)',
      wideOnly: true,
      valuesOf: ({ filter }) => ({ name: 'filter', value: filterText(filter, titleOf) }),
    },
    {
      id: 'updatedAt',
      header: TEXT.changed,
      width: '8rem',
      wideOnly: true,
      valuesOf: ({ updatedAt }) => timeValue('updatedAt', updatedAt),
      cell: ({ updatedAt }) => <TimeText at={updatedAt} ago />,
    },
  ]);

function OutputsPage() {
  return (
    <AdminsOnly>
      <Outputs />
    </AdminsOnly>
  );
}

function Outputs() {
  const navigate = useNavigate();
  const labelOf = useKindLabel();
  const titleOf = useRuleTitle();
  const create = () => void navigate({ to: '/outputs/new', search: {} });
  useShortcuts([{ keys: 'n', does: OUTPUT_TEXT.create, run: create }]);
  // The API returns all outputs in one response.
  const query = useInfiniteQuery(
    cursorList<Output>(['outputs'], async (_cursor, signal) => ({
      ...(await call('get', '/api/outputs', { signal })),
      nextCursor: null,
    })),
  );
  return (
    <Page title={OUTPUT_TEXT.title} actions={<CreateButton onClick={create}>{OUTPUT_TEXT.create}</CreateButton>}>
      <RecordList
        label={OUTPUT_TEXT.title}
        columns={columns(labelOf, titleOf)}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/outputs/$id', params: { id } })}
        empty={OUTPUT_TEXT.empty}
      />
    </Page>
  );
}
