import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { type Body, call } from '../../api/client.ts';
import { may, sessionQuery, signOut } from '../../api/session.ts';
import { useProfile } from '../../app/use-profile.ts';
import { NotificationSettings } from '../../pages/hand-off/notification-settings.tsx';
import { EmailForm } from '../../pages/profile/email-form.tsx';
import { PasswordForm } from '../../pages/profile/password-form.tsx';
import { QuotaList } from '../../pages/profile/quota-list.tsx';
import { SessionList } from '../../pages/profile/session-list.tsx';
import { PROFILE_TEXT } from '../../pages/profile/text.ts';
import { SecondFactorSection } from '../../pages/second-factor/second-factor-section.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { fieldIssues } from '../../parts/field-issues.ts';
import { Page } from '../../parts/page.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeText } from '../../parts/time/time-text.tsx';

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
      showDone(PROFILE_TEXT.saved);
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
      if (!(await signOut(queries))) await router.navigate({ to: '/sign-in', search: {} });
    } catch (error) {
      showFailure(error);
    }
  }

  const actions = (
    <Button variant="default" onClick={() => void leave()}>
      {PROFILE_TEXT.signOut}
    </Button>
  );
  const { at, rest } = fieldIssues(change.error, ['username', 'image']);
  return (
    <Page title={PROFILE_TEXT.title} actions={actions}>
      <Stack maw="36rem" gap="md">
        <Facts
          panel
          facts={[
            [PROFILE_TEXT.facts.email, PROFILE_TEXT.facts.value(profile.email, profile.emailVerified)],
            [PROFILE_TEXT.facts.role, PARTS_TEXT.roles[profile.role]],
            [PROFILE_TEXT.facts.created, <TimeText key="since" at={profile.createdAt} />],
          ]}
        />
        {rest !== null && <FailureNotice error={rest} />}
        <form onSubmit={onSubmit}>
          <Stack gap="sm">
            <Title order={2} size="h5">
              {PROFILE_TEXT.form.title}
            </Title>
            <TextInput
              name="username"
              label={PROFILE_TEXT.form.username}
              description={PROFILE_TEXT.form.usernameHint}
              error={at.username}
              pattern="[A-Za-z0-9_\-]{3,32}"
              defaultValue={profile.username}
              required
            />
            <TextInput
              name="image"
              type="url"
              label={PROFILE_TEXT.form.picture}
              description={PROFILE_TEXT.form.pictureHint}
              error={at.image}
              placeholder={PROFILE_TEXT.form.picturePlaceholder}
              pattern="https://.*"
              defaultValue={profile.image ?? ''}
            />
            <Group>
              <Button type="submit" loading={change.isPending}>
                {PROFILE_TEXT.form.save}
              </Button>
            </Group>
          </Stack>
        </form>
        <EmailForm />
        <PasswordForm email={profile.email} />
        <SecondFactorSection />
        {may(profile, 'analyst') && <NotificationSettings />}
        <SessionList />
        <QuotaList />
      </Stack>
    </Page>
  );
}
