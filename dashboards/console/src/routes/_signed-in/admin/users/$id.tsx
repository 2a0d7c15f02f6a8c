import { Button, Loader, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { call, callForHeaders } from '../../../../api/client.ts';
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
import { TimeText } from '../../../../parts/time-text.tsx';

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
  useShortcuts([{ keys: 'n', does: 'Make a key for this account', run: open }]);
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
      <Page title="Account">
        <Loader size="sm" aria-label="Loading the account" />
      </Page>
    );
  if (user.isError)
    return (
      <Page title="Account">
        <FailureNotice error={user.error} onRetry={() => void user.refetch()} />
      </Page>
    );
  const { username, email, emailVerified, createdAt, updatedAt, endDate, lockUntil, failedLoginAttempts, role } =
    user.data;
  return (
    <Page
      title={`Account ${username}`}
      actions={
        <PageLink to="/admin/audit-log" search={{ target: `user:${id}` }} underline="always" size="sm">
          Its entries in the audit log
        </PageLink>
      }
    >
      <Stack gap="md">
        <Facts
          facts={[
            ['State', <UserStateBadge key="state" user={user.data} />],
            ['Address', `${email}${emailVerified ? '' : ' (not verified)'}`],
            ['Role', role],
            ['Ends', endDate === null ? 'never' : <TimeText key="ends" at={endDate} />],
            ['Made', <TimeText key="made" at={createdAt} />],
            ['Changed last', <TimeText key="changed" at={updatedAt} />],
            ['Wrong passwords', `${failedLoginAttempts} since the last right one`],
            ...(lockUntil === null ? [] : [['Locked until', <TimeText key="locked" at={lockUntil} />] as const]),
          ]}
        />
        <UserChanges user={user.data} />
        <section aria-label="Keys">
          <Title order={2} size="h5" mb="xs">
            Keys
          </Title>
          <KeyList
            label={`Keys of ${username}`}
            queryKey={keysOf}
            load={(signal) => call('get', '/api/admin/users/{id}/api-keys', { signal, path: { id } })}
            revoke={(keyId) => call('delete', '/api/admin/users/{id}/api-keys/{keyId}', { path: { id, keyId } })}
            empty="This account has no keys."
          />
          <Button variant="default" size="compact-md" mt="xs" onClick={open}>
            Make a key for {username}
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
