import { Group, NativeSelect } from '@mantine/core';
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
import { ADMIN_TEXT } from '../../../../pages/admin/text.ts';
import { UserStateBadge } from '../../../../pages/admin/user-state-badge.tsx';
import { AdminsOnly } from '../../../../parts/admins-only.tsx';
import { CreateButton } from '../../../../parts/create-button.tsx';
import { TypedFilter } from '../../../../parts/filters/typed-filter.tsx';
import { RecordList } from '../../../../parts/list/record-list.tsx';
import { Page } from '../../../../parts/page.tsx';
import { choiceParam, onlyRead, textParam } from '../../../../parts/search-params.ts';
import { useShortcuts } from '../../../../parts/shortcuts.ts';
import { PARTS_TEXT } from '../../../../parts/text.ts';
import { TimeText } from '../../../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../../../parts/values/value-columns.tsx';
import { visible } from '../../../../parts/visible.ts';

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

const TEXT = ADMIN_TEXT.users;

const COLUMNS = valueColumns<User>({ list: '/admin/users', titleOf: ({ username }) => username }, [
  {
    id: 'username',
    header: TEXT.columns.name,
    width: 'minmax(6rem, 1fr)',
    valuesOf: ({ id, username }) => ({ name: 'username', value: username, list: null, page: { kind: 'user', id } }),
    phoneLine: ({ email }) => visible(email),
  },
  {
    id: 'email',
    header: TEXT.columns.email,
    width: 'minmax(6rem, 1.6fr)',
    valuesOf: ({ email }) => ({ name: 'email', value: email, list: null }),
    wideOnly: true,
  },
  {
    id: 'role',
    header: TEXT.columns.role,
    width: 'minmax(6.5rem, 7.5rem)',
    valuesOf: ({ role }) => ({ name: 'role', value: role, shown: PARTS_TEXT.roles[role], by: 'only' }),
  },
  {
    id: 'state',
    header: TEXT.columns.state,
    width: '6rem',
    valuesOf: ({ disabled }) => {
      const state = disabled ? 'disabled' : 'active';
      return { name: 'state', value: state, shown: TEXT.states[state], by: 'choice', among: STATES };
    },
    cell: (user) => <UserStateBadge user={user} />,
    wideOnly: true,
  },
  {
    id: 'createdAt',
    header: TEXT.columns.created,
    width: '13.5rem',
    valuesOf: ({ createdAt }) => timeValue('createdAt', createdAt),
    cell: ({ createdAt }) => <TimeText at={createdAt} />,
    wideOnly: true,
  },
]);

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
    { keys: '/', does: TEXT.search, run: () => field.current?.focus() },
    { keys: 'n', does: TEXT.create, run: open },
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
    <Page title={TEXT.title} actions={<CreateButton onClick={open}>{TEXT.create}</CreateButton>}>
      <Group gap="sm" mb="sm" align="flex-end">
        <TypedFilter
          inputRef={field}
          label={TEXT.filters.text}
          value={search.q ?? ''}
          onFilter={(q) => filter({ q })}
        />
        <NativeSelect
          label={TEXT.filters.role}
          value={search.role ?? ''}
          data={[
            { value: '', label: TEXT.filters.any },
            ...ROLES.map((value) => ({ value, label: PARTS_TEXT.roles[value] })),
          ]}
          onChange={({ currentTarget }) => filter({ role: currentTarget.value })}
        />
        <NativeSelect
          label={TEXT.filters.state}
          value={search.state ?? ''}
          data={[
            { value: '', label: TEXT.filters.any },
            ...STATES.map((value) => ({ value, label: TEXT.states[value] })),
          ]}
          onChange={({ currentTarget }) => filter({ state: currentTarget.value })}
        />
      </Group>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/admin/users/$id', params: { id } })}
        empty={TEXT.empty}
      />
      <NewUserDialog opened={making} onClose={close} />
    </Page>
  );
}
