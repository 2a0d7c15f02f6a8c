import { Button, Loader, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { call, callForHeaders } from '../../../../api/client.ts';
import { SecondFactors } from '../../../../pages/admin/second-factors.tsx';
import { ADMIN_TEXT } from '../../../../pages/admin/text.ts';
import { UserChanges } from '../../../../pages/admin/user-changes.tsx';
import { UserStateBadge } from '../../../../pages/admin/user-state-badge.tsx';
import { KeyList } from '../../../../pages/keys/key-list.tsx';
import { NewKeyDialog } from '../../../../pages/keys/new-key.tsx';
import { AdminsOnly } from '../../../../parts/admins-only.tsx';
import { Facts } from '../../../../parts/facts.tsx';
import { FailureNotice } from '../../../../parts/failure-notice.tsx';
import { Page } from '../../../../parts/page.tsx';
import { PageLink } from '../../../../parts/page-link.tsx';
import { useShortcuts } from '../../../../parts/shortcuts.ts';
import { PARTS_TEXT } from '../../../../parts/text.ts';
import { TimeText } from '../../../../parts/time/time-text.tsx';

const TEXT = ADMIN_TEXT.user;

export const Route = createFileRoute('/_signed-in/admin/users/$id')({
  component: UserPage,
});

function UserPage() {
  return (
    <AdminsOnly>
      <User />
    </AdminsOnly>
  );
}

function User() {
  const { id } = Route.useParams();
  const queries = useQueryClient();
  const [makingKey, { open, close }] = useDisclosure();
  useShortcuts([{ keys: 'n', does: TEXT.createKey, run: open }]);
  const keysOf = ['keys', id];
  const user = useQuery({
    queryKey: ['user', id],
    queryFn: async ({ signal }) => {
      const { value, headers } = await callForHeaders('get', '/api/admin/users/{id}', { signal, path: { id } });
      return { ...value, etag: headers.get('etag') };
    },
  });
  if (user.isPending)
    return (
      <Page title={TEXT.title}>
        <Loader size="sm" aria-label={TEXT.loading} />
      </Page>
    );
  if (user.isError)
    return (
      <Page title={TEXT.title}>
        <FailureNotice error={user.error} onRetry={() => void user.refetch()} />
      </Page>
    );
  const { username, email, emailVerified, createdAt, updatedAt, endDate, lockUntil, failedLoginAttempts, role } =
    user.data;
  return (
    <Page
      title={TEXT.titleOf(username)}
      actions={
        <PageLink to="/admin/audit-log" search={{ target: `user:${id}` }} underline="always" size="sm">
          {TEXT.auditLog}
        </PageLink>
      }
    >
      <Stack gap="md">
        <Facts
          panel
          facts={[
            [TEXT.facts.state, <UserStateBadge key="state" user={user.data} />],
            [TEXT.facts.email, TEXT.email(email, emailVerified)],
            [TEXT.facts.role, PARTS_TEXT.roles[role]],
            [TEXT.facts.expires, endDate === null ? TEXT.never : <TimeText key="ends" at={endDate} />],
            [TEXT.facts.created, <TimeText key="made" at={createdAt} />],
            [TEXT.facts.changed, <TimeText key="changed" at={updatedAt} />],
            [TEXT.facts.failedSignIns, TEXT.failedSignIns(failedLoginAttempts)],
            ...(lockUntil === null
              ? []
              : [[TEXT.facts.lockedUntil, <TimeText key="locked" at={lockUntil} />] as const]),
          ]}
        />
        <UserChanges user={user.data} />
        <SecondFactors user={user.data} />
        <section aria-label={TEXT.keys}>
          <Title order={2} size="h5" mb="xs">
            {TEXT.keys}
          </Title>
          <KeyList
            label={TEXT.keysOf(username)}
            queryKey={keysOf}
            load={(signal) => call('get', '/api/admin/users/{id}/api-keys', { signal, path: { id } })}
            revoke={(keyId) => call('delete', '/api/admin/users/{id}/api-keys/{keyId}', { path: { id, keyId } })}
            empty={TEXT.noKeys}
          />
          <Button variant="default" mt="xs" onClick={open}>
            {TEXT.createKeyFor(username)}
          </Button>
          <NewKeyDialog
            opened={makingKey}
            role={role}
            onClose={close}
            make={async (body) => {
              const made = await call('post', '/api/admin/users/{id}/api-keys', { path: { id }, body });
              await queries.invalidateQueries({ queryKey: keysOf });
              return made;
            }}
          />
        </section>
      </Stack>
    </Page>
  );
}
