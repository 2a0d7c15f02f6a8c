import { Button, Group, NativeSelect } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ROLES } from '#schemas/api/role-order.ts';
import { type Answer, call } from '../../../../api/client.ts';
import { offsetList } from '../../../../api/lists.ts';
import { APP_TEXT } from '../../../../app/text.ts';
import { NewUserDialog } from '../../../../pages/admin/new-user.tsx';
import { nonEmpty, STATES, type UsersSearch } from '../../../../pages/admin/search.ts';
import { UserStateBadge } from '../../../../pages/admin/user-state-badge.tsx';
import { AdminsOnly } from '../../../../parts/admins-only.tsx';
import { Page } from '../../../../parts/page.tsx';
import { type Column, RecordList } from '../../../../parts/record-list.tsx';
import { choiceParam, onlyRead, textParam } from '../../../../parts/search-params.ts';
import { useShortcuts } from '../../../../parts/shortcuts.ts';
import { TimeText } from '../../../../parts/time-text.tsx';
import { TypedFilter } from '../../../../parts/typed-filter.tsx';

export const Route = createFileRoute('/_signed-in/admin/users/')({
  staticData: {
    section: { group: 'Administration', order: 2, label: APP_TEXT.sections.users, role: 'admin', keys: 'g u' },
  },
  validateSearch: onlyRead(
    (search: Record<string, unknown>): UsersSearch =>
      nonEmpty<UsersSearch>({
        q: textParam(search.q),
        role: choiceParam(search.role, ROLES),
        state: choiceParam(search.state, STATES),
      }),
  ),
  component: UsersPage,
});

type User = Answer<'get', '/api/admin/users'>['data'][number];

const COLUMNS: readonly Column<User>[] = [
  { id: 'username', header: 'Name', width: 'minmax(6rem, 1fr)', cell: ({ username }) => username },
  { id: 'email', header: 'Address', width: 'minmax(8rem, 1.6fr)', cell: ({ email }) => email },
  { id: 'role', header: 'Role', width: '4.5rem', cell: ({ role }) => role },
  { id: 'state', header: 'State', width: '6rem', cell: (user) => <UserStateBadge user={user} />, wideOnly: true },
  {
    id: 'createdAt',
    header: 'Since',
    width: '13.5rem',
    cell: ({ createdAt }) => <TimeText at={createdAt} />,
    wideOnly: true,
  },
];

function UsersPage() {
  return (
    <AdminsOnly>
      <Users />
    </AdminsOnly>
  );
}

function Users() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  const [making, { open, close }] = useDisclosure();
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([
    { keys: '/', does: 'Search accounts', run: () => field.current?.focus() },
    { keys: 'n', does: 'Make an account', run: open },
  ]);
  const query = useInfiniteQuery(
    offsetList<User>(['users', search], (offset, signal) =>
      call('get', '/api/admin/users', {
        signal,
        query: {
          ...(search.q === undefined ? {} : { q: search.q }),
          ...(search.role === undefined ? {} : { role: search.role }),
          ...(search.state === undefined ? {} : { disabled: search.state === 'disabled' }),
          limit: 100,
          offset,
        },
      }),
    ),
  );

  function filter(change: { readonly [K in keyof UsersSearch]?: string }) {
    void navigate({ to: '/admin/users', search: nonEmpty<UsersSearch>({ ...search, ...change }), replace: true });
  }

  return (
    <Page
      title="Users"
      actions={
        <Button size="compact-md" onClick={open}>
          Make an account
        </Button>
      }
    >
      <Group gap="sm" mb="sm" align="flex-end">
        <TypedFilter inputRef={field} label="Name or address" value={search.q ?? ''} onFilter={(q) => filter({ q })} />
        <NativeSelect
          label="Role"
          value={search.role ?? ''}
          data={[{ value: '', label: 'Any' }, ...ROLES]}
          onChange={({ currentTarget }) => filter({ role: currentTarget.value })}
        />
        <NativeSelect
          label="State"
          value={search.state ?? ''}
          data={[{ value: '', label: 'Any' }, ...STATES]}
          onChange={({ currentTarget }) => filter({ state: currentTarget.value })}
        />
      </Group>
      <RecordList
        label="Accounts"
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/admin/users/$id', params: { id } })}
        empty="No account is like that. Take a filter away, or make the account."
      />
      <NewUserDialog opened={making} onClose={close} />
    </Page>
  );
}
