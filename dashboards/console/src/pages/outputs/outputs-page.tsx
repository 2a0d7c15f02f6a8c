import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { AdminsOnly } from '../../parts/admins-only.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, RecordList } from '../../parts/record-list.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { TimeText } from '../../parts/time-text.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { filterText } from './filter-text.ts';
import type { Output } from './output.ts';
import { OUTPUT_FIELDS } from './output-fields.ts';

const COLUMNS: readonly Column<Output>[] = [
  { id: 'name', header: 'Name', width: 'minmax(6rem, 1fr)', cell: ({ name }) => name },
  { id: 'type', header: 'Kind', width: '6rem', wideOnly: true, cell: ({ type }) => OUTPUT_FIELDS[type].label },
  { id: 'state', header: 'State', width: 'minmax(9rem, 1fr)', cell: ({ id }) => <DeliveryState id={id} /> },
  {
    id: 'filter',
    header: 'Told of',
    width: 'minmax(8rem, 1.5fr)',
    wideOnly: true,
    cell: ({ filter }) => filterText(filter),
  },
  {
    id: 'updatedAt',
    header: 'Changed',
    width: '8rem',
    wideOnly: true,
    cell: ({ updatedAt }) => <TimeText at={updatedAt} ago />,
  },
];

export function OutputsPage() {
  return (
    <AdminsOnly>
      <Outputs />
    </AdminsOnly>
  );
}

function Outputs() {
  const navigate = useNavigate();
  const make = () => void navigate({ to: '/outputs/new', search: {} });
  useShortcuts([{ keys: 'n', does: 'Make an output', run: make }]);
  // The API tells all of them at once.
  const query = useInfiniteQuery(
    cursorList<Output>(['outputs'], async (_cursor, signal) => ({
      ...(await call('get', '/api/outputs', { signal })),
      nextCursor: null,
    })),
  );
  return (
    <Page
      title="Outputs"
      actions={
        <Button size="compact-md" onClick={make}>
          Make an output
        </Button>
      }
    >
      <RecordList
        label="Outputs"
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/outputs/$id', params: { id } })}
        empty="Detections are sent nowhere. Make an output: a chat, a webhook, your SIEM."
      />
    </Page>
  );
}
