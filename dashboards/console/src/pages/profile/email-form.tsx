import { Alert, Button, Group, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';
import { type Body, call } from '../../api/client.ts';
import { sessionQuery } from '../../api/session.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { fieldIssues } from '../../parts/field-issues.ts';
import { showDone } from '../../parts/show-failure.tsx';
import { PROFILE_TEXT } from './text.ts';

const TEXT = PROFILE_TEXT.email;

/** Changes the e-mail address of the account: immediately, or through a link sent to the new address. */
export function EmailForm() {
  const form = useRef<HTMLFormElement>(null);
  const queries = useQueryClient();
  const router = useRouter();
  const change = useMutation({
    mutationFn: (body: Body<'post', '/api/user/email'>) => call('post', '/api/user/email', { body }),
    async onSuccess({ state }) {
      form.current?.reset();
      if (state === 'link-sent') return;
      showDone(TEXT.changed);
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      await router.invalidate();
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    change.mutate({ email: String(fields.get('email')).trim(), currentPassword: String(fields.get('current')) });
  }

  const { at, rest } = fieldIssues(change.error, ['email', 'currentPassword']);
  return (
    <form ref={form} onSubmit={onSubmit}>
      <Stack gap="sm">
        <Title order={2} size="h5">
          {TEXT.title}
        </Title>
        {rest !== null && <FailureNotice error={rest} />}
        {change.isSuccess && change.data.state === 'link-sent' && (
          <Alert role="status" title={TEXT.sentTitle}>
            {TEXT.sent(change.variables.email)}
          </Alert>
        )}
        <TextInput
          name="email"
          type="email"
          label={TEXT.next}
          error={at.email}
          autoComplete="email"
          maxLength={254}
          required
        />
        <PasswordInput
          name="current"
          label={TEXT.password}
          error={at.currentPassword}
          autoComplete="current-password"
          maxLength={128}
          required
        />
        <Group>
          <Button type="submit" variant="default" loading={change.isPending}>
            {TEXT.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
