import { Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { fieldIssues } from '../../parts/field-issues.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { SESSIONS_KEY } from './session-list.tsx';
import { PROFILE_TEXT } from './text.ts';

const TEXT = PROFILE_TEXT.password;

/** Changes the password of the account. Clears the form after success. */
export function PasswordForm({ email }: { readonly email: string }) {
  const form = useRef<HTMLFormElement>(null);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; password: string }) => call('post', '/api/user/password', { body }),
    async onSuccess({ sessionsEnded }) {
      form.current?.reset();
      showDone(TEXT.changed(sessionsEnded));
      await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    change.mutate({ currentPassword: String(fields.get('current')), password: String(fields.get('password')) });
  }

  const { at, rest } = fieldIssues(change.error, ['currentPassword', 'password']);
  return (
    <form ref={form} onSubmit={onSubmit}>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {TEXT.title}
        </Title>
        {rest !== null && <FailureNotice error={rest} />}
        {/* Password managers store the new password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          name="current"
          label={TEXT.current}
          error={at.currentPassword}
          autoComplete="current-password"
          maxLength={128}
          required
        />
        <PasswordInput
          name="password"
          label={TEXT.next}
          description={TEXT.hint}
          error={at.password}
          autoComplete="new-password"
          minLength={12}
          maxLength={128}
          required
        />
        <Group>
          <Button type="submit" variant="default" loading={change.isPending}>
            {TEXT.action}
          </Button>
          <Text size="sm">
            <PageLink to="/forgot-password" underline="always" inherit>
              {TEXT.forgotten}
            </PageLink>
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
