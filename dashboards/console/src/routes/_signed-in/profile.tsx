import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { type Body, call } from '../../api/client.ts';
import { sessionQuery, signOut } from '../../api/session.ts';
import { useProfile } from '../../app/use-profile.ts';
import { QuotaList } from '../../pages/profile/quota-list.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Page } from '../../parts/page.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time-text.tsx';

export const Route = createFileRoute('/_signed-in/profile')({
  component: ProfilePage,
});

function ProfilePage() {
  const profile = useProfile();
  const queries = useQueryClient();
  const router = useRouter();
  const change = useMutation({
    mutationFn: (body: Body<'post', '/api/user/update'>) => call('post', '/api/user/update', { body }),
    async onSuccess(changed) {
      queries.setQueryData(sessionQuery.queryKey, changed);
      await router.invalidate();
      showDone('Your profile is changed.');
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const username = String(form.get('username')).trim();
    const image = String(form.get('image')).trim();
    change.mutate({ ...(username === profile.username ? {} : { username }), image: image === '' ? null : image });
  }

  async function leave() {
    try {
      await signOut(queries);
      await router.navigate({ to: '/sign-in', search: {} });
    } catch (error) {
      showFailure(error);
    }
  }

  const actions = (
    <Button variant="default" size="compact-md" onClick={() => void leave()}>
      Sign out
    </Button>
  );
  return (
    <Page title="Profile" actions={actions}>
      <Stack maw="36rem" gap="md">
        <Facts
          facts={[
            ['Address', `${profile.email}${profile.emailVerified ? '' : ' (not verified)'}`],
            ['Role', profile.role],
            ['Account since', <TimeText key="since" at={profile.createdAt} />],
          ]}
        />
        {change.isError && <FailureNotice error={change.error} />}
        <form onSubmit={onSubmit}>
          <Stack gap="sm">
            <Title order={2} size="h5">
              Name and picture
            </Title>
            <TextInput
              name="username"
              label="User name"
              description="3 to 32 letters, digits, - and _"
              pattern="[A-Za-z0-9_\-]{3,32}"
              defaultValue={profile.username}
              required
            />
            <TextInput
              name="image"
              type="url"
              label="Picture"
              description="https address. The console loads nothing from other hosts and does not show it; clients of the API may."
              placeholder="https://"
              pattern="https://.*"
              defaultValue={profile.image ?? ''}
            />
            <Group>
              <Button type="submit" loading={change.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
        <QuotaList />
        <Text size="sm">
          To change the password,{' '}
          <PageLink to="/forgot-password" underline="always" inherit>
            ask for a link to set a new one
          </PageLink>
          . It ends all your sign-ins.
        </Text>
      </Stack>
    </Page>
  );
}
