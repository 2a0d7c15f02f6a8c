import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { call } from '../api/client.ts';
import { OpenPage } from '../pages/sign-in/open-page.tsx';
import { SIGN_IN_TEXT } from '../pages/sign-in/text.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';

export const Route = createFileRoute('/forgot-password')({
  component: ForgotPasswordPage,
});

const LINKS = [{ to: '/sign-in', text: SIGN_IN_TEXT.forgot.back }];

function ForgotPasswordPage() {
  const ask = useMutation({
    mutationFn: (email: string) => call('post', '/api/auth/forgot-password', { body: { email } }),
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    ask.mutate(String(new FormData(event.currentTarget).get('email')));
  }

  return (
    <OpenPage title={SIGN_IN_TEXT.forgot.title} links={LINKS}>
      {ask.isError && <FailureNotice error={ask.error} />}
      {ask.isSuccess && (
        <Alert variant="outline" color="indigo" title={SIGN_IN_TEXT.forgot.sentTitle} role="status" mb="sm">
          {SIGN_IN_TEXT.forgot.sent(ask.variables)} {SIGN_IN_TEXT.forgot.noMail}
        </Alert>
      )}
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput
            name="email"
            type="email"
            label={SIGN_IN_TEXT.forgot.email}
            description={SIGN_IN_TEXT.forgot.hint}
            autoComplete="username"
            required
          />
          <Button type="submit" loading={ask.isPending}>
            {ask.isSuccess ? SIGN_IN_TEXT.forgot.resend : SIGN_IN_TEXT.forgot.send}
          </Button>
        </Stack>
      </form>
    </OpenPage>
  );
}
