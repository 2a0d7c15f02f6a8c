import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { cursorList } from '../../api/lists.ts';
import { RecordList } from '../../parts/list/record-list.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../parts/values/value-columns.tsx';
import type { ApiKey } from './api-key.ts';
import { KeyDetails } from './key-details.tsx';
import { stateOfKey } from './key-state.ts';
import { KeyStateBadge } from './key-state-badge.tsx';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.columns;

const COLUMNS = valueColumns<ApiKey>({ titleOf: ({ label }) => label }, [
  {
    id: 'label',
    header: TEXT.name,
    width: 'minmax(6rem, 1fr)',
    valuesOf: ({ label }) => ({ name: 'label', value: label }),
    phoneLine: lastUsed,
  },
  {
    id: 'keyId',
    header: TEXT.key,
    width: '11rem',
    wideOnly: true,
    valuesOf: ({ keyId }) => ({ name: 'keyId', value: keyId }),
    cell: ({ keyId }) => <span className="tl-mono">{keyId}</span>,
  },
  {
    id: 'scopes',
    header: TEXT.scopes,
    width: 'minmax(6rem, 1.5fr)',
    wideOnly: true,
    valuesOf: ({ scopes }) => ({ name: 'scopes', value: scopes.join(', ') }),
    cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
  },
  {
    id: 'used',
    header: TEXT.lastUsed,
    width: '7.5rem',
    valuesOf: ({ lastUsedAt }) => timeValue('lastUsedAt', lastUsedAt),
    cell: lastUsed,
    wideOnly: true,
  },
  {
    id: 'state',
    header: TEXT.state,
    width: '5.5rem',
    valuesOf: (key) => {
      const state = stateOfKey(key);
      return { name: 'state', value: state, shown: KEYS_TEXT.states[state] };
    },
    cell: (key) => <KeyStateBadge of={key} />,
  },
]);

function lastUsed({ lastUsedAt }: ApiKey): ReactNode {
  return lastUsedAt === null ? KEYS_TEXT.never : <TimeText at={lastUsedAt} ago />;
}

/** Keys of an account. Invalidate `queryKey` after creating a key. Enter or a click opens the details of a key. */
export function KeyList({
  label,
  queryKey,
  load,
  revoke,
  empty,
  own = false,
}: {
  readonly label: string;
  readonly queryKey: readonly unknown[];
  readonly load: (signal: AbortSignal) => Promise<{ readonly data: readonly ApiKey[] }>;
  readonly revoke: (keyId: string) => Promise<unknown>;
  readonly empty: ReactNode;
  /** True if the keys belong to the signed-in user. Only the owner can rotate and restrict them. */
  readonly own?: boolean;
}) {
  const [openedId, setOpenedId] = useState<string>();
  // The API returns all keys of an account at once.
  const query = useInfiniteQuery(
    cursorList<ApiKey>(queryKey, async (_cursor, signal) => ({ ...(await load(signal)), nextCursor: null })),
  );
  const opened = query.data?.pages.flatMap(({ data }) => data).find(({ keyId }) => keyId === openedId);
  return (
    <>
      <RecordList
        label={label}
        columns={COLUMNS}
        query={query}
        rowId={({ keyId }) => keyId}
        onOpen={({ keyId }) => setOpenedId(keyId)}
        empty={empty}
        height="20rem"
      />
      <KeyDetails
        apiKey={opened}
        onClose={() => setOpenedId(undefined)}
        changes={own ? () => query.refetch() : undefined}
        onRevoke={async (keyId) => {
          await revoke(keyId);
          await query.refetch();
        }}
      />
    </>
  );
}
