import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { offsetList } from '../../../api/lists.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { type Team, TeamDialog } from '../../../pages/admin/team-dialog.tsx';
import { ADMIN_TEXT } from '../../../pages/admin/text.ts';
import { AdminsOnly } from '../../../parts/admins-only.tsx';
import { CreateButton } from '../../../parts/create-button.tsx';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { valueColumns } from '../../../parts/values/value-columns.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/admin/teams')({
  staticData: {
    section: { group: 'Administration', order: 5, label: APP_TEXT.sections.teams, role: 'admin', keys: 'g m' },
  },
  component: TeamsPage,
});

const TEXT = ADMIN_TEXT.teams;

const COLUMNS = valueColumns<Team>({ titleOf: ({ name }) => name }, [
  {
    id: 'name',
    header: TEXT.columns.name,
    width: 'minmax(6rem, 1fr)',
    valuesOf: ({ name }) => ({ name: 'team', value: name }),
    phoneLine: ({ members = [] }) => visible(namesOf(members)),
  },
  {
    id: 'members',
    header: TEXT.columns.members,
    width: 'minmax(8rem, 2fr)',
    valuesOf: ({ members = [] }) =>
      members.map(({ id, username }) => ({
        name: 'username',
        value: username,
        page: { kind: 'user', id },
      })),
    wideOnly: true,
  },
  {
    id: 'description',
    header: TEXT.columns.description,
    width: 'minmax(8rem, 2fr)',
    valuesOf: ({ description }) => ({ name: 'description', value: description }),
    wideOnly: true,
  },
]);

function TeamsPage() {
  return (
    <AdminsOnly>
      <Teams />
    </AdminsOnly>
  );
}

function Teams() {
  const [shown, setShown] = useState<Team | null>();
  useShortcuts([{ keys: 'n', does: TEXT.create, run: () => setShown(null) }]);
  const query = useInfiniteQuery(
    offsetList<Team>(['teams', 'list'], (offset, signal) =>
      call('get', '/api/v1/teams', { query: { limit: 100, offset }, signal }),
    ),
  );
  return (
    <Page title={TEXT.title} actions={<CreateButton onClick={() => setShown(null)}>{TEXT.create}</CreateButton>}>
      <Text size="sm" c="dimmed" mb="sm">
        {TEXT.hint}
      </Text>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={setShown}
        empty={TEXT.empty}
      />
      <TeamDialog team={shown} onClose={() => setShown(undefined)} />
    </Page>
  );
}

function namesOf(members: readonly { readonly username: string }[]): string {
  return members.map(({ username }) => username).join(', ');
}
