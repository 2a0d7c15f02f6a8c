import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { call } from '../api/client.ts';
import { OpenPage } from '../pages/sign-in/open-page.tsx';
import { FailureNotice } from '../parts/failure-notice.tsx';

export const Route = createFileRoute('/forgot-password')({
  component: ForgotPasswordPage,
});

const LINKS = [{ to: '/sign-in', text: 'Back to sign in' }];

function ForgotPasswordPage() {
  const ask = useMutation({
    mutationFn: (email: string) => call('post', '/api/auth/forgot-password', { body: { email } }),
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    ask.mutate(String(new FormData(event.currentTarget).get('email')));
  }

  return (
    <OpenPage title="Forgot the password?" links={LINKS}>
      {ask.isError && <FailureNotice error={ask.error} />}
      {ask.isSuccess && (
        <Alert variant="outline" color="indigo" title="Look into your mail" role="status" mb="sm">
          If {ask.variables} has an account, a link is on its way to it. It works once, for an hour.
        </Alert>
      )}
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput
            name="email"
            type="email"
            label="E-mail address of your account"
            description="A link is mailed to it, by which you set a new password."
            autoComplete="username"
            required
          />
          <Button type="submit" loading={ask.isPending}>
            {ask.isSuccess ? 'Send it again' : 'Send the link'}
          </Button>
        </Stack>
      </form>
    </OpenPage>
  );
}
