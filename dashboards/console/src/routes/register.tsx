import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { OpenPage } from '../pages/sign-in/open-page.tsx';
import { ProviderButtons } from '../pages/sign-in/provider-buttons.tsx';
import { RegisteredNotice } from '../pages/sign-in/registered-notice.tsx';
import { type Credentials, signIn } from '../pages/sign-in/sign-in.ts';
import { SIGN_IN_TEXT } from '../pages/sign-in/text.ts';
import { useWaysIn } from '../pages/sign-in/ways-in.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';

export const Route = createFileRoute('/register')({
  component: RegisterPage,
});

type Step =
  | { readonly name: 'address' }
  | { readonly name: 'code'; readonly email: string }
  | { readonly name: 'done'; readonly apiKey: string; readonly signedIn: boolean };

const TEXT = SIGN_IN_TEXT.register;
const LINKS = [{ to: '/sign-in', text: TEXT.signIn }];

/**
 * Registration by e-mail code: first the address, then code, name and password, then the API key, which is shown once.
 * Long: the markup of the three steps.
 */
function RegisterPage() {
  const queries = useQueryClient();
  const registration = useWaysIn()?.registration;
  const [step, setStep] = useState<Step>({ name: 'address' });
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  async function attempt(work: () => Promise<Step>) {
    setBusy(true);
    setFailure(undefined);
    try {
      setStep(await work());
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  function askForCode(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email'));
    void attempt(async () => {
      await call('post', '/api/auth/send-otp', { body: { email } });
      return { name: 'code', email };
    });
  }

  function register(event: FormEvent<HTMLFormElement>, email: string) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = String(form.get('password'));
    const username = String(form.get('username')).trim();
    const otp = String(form.get('otp')).trim();
    void attempt(async () => {
      const { apiKey } = await call('post', '/api/auth/verify-otp', { body: { email, username, password, otp } });
      return { name: 'done', apiKey, signedIn: await openSession({ email, password }) };
    });
  }

  /** Never rejects, because the account exists and its key must be shown. */
  async function openSession(credentials: Credentials): Promise<boolean> {
    return signIn(queries, credentials).then(
      (profile) => profile !== undefined,
      () => false,
    );
  }

  if (step.name === 'done')
    return (
      <OpenPage title={TEXT.doneTitle} links={[]}>
        <RegisteredNotice apiKey={step.apiKey} signedIn={step.signedIn} />
      </OpenPage>
    );

  if (registration === 'closed')
    return (
      <OpenPage title={TEXT.closedTitle} links={LINKS}>
        <Text>{TEXT.closed}</Text>
      </OpenPage>
    );

  return (
    <OpenPage title={TEXT.title} links={LINKS}>
      {failure !== undefined && <FailureNotice error={failure} />}
      {step.name === 'address' ? (
        <>
          <form onSubmit={askForCode}>
            <Stack gap="sm">
              <TextInput
                name="email"
                type="email"
                label={TEXT.email}
                description={TEXT.emailHint(registration === 'restricted')}
                autoComplete="email"
                required
              />
              <Text size="sm" c="dimmed">
                {TEXT.roleHint}
              </Text>
              <Button type="submit" loading={busy}>
                {TEXT.sendCode}
              </Button>
            </Stack>
          </form>
          <ProviderButtons returnTo={undefined} />
        </>
      ) : (
        <form onSubmit={(event) => register(event, step.email)}>
          <Stack gap="sm">
            <Text size="sm" role="status">
              {TEXT.codeSent(step.email)}
            </Text>
            <TextInput
              name="otp"
              label={TEXT.code}
              description={TEXT.codeHint}
              inputMode="numeric"
              pattern="\s*\d{6}\s*"
              autoComplete="one-time-code"
              required
              autoFocus
            />
            <TextInput
              name="username"
              label={TEXT.username}
              description={TEXT.usernameHint}
              pattern="[A-Za-z0-9_\-]{3,32}"
              autoComplete="username"
              required
            />
            <PasswordInput
              name="password"
              label={TEXT.password}
              description={TEXT.passwordHint}
              minLength={12}
              maxLength={128}
              autoComplete="new-password"
              required
            />
            <Button type="submit" loading={busy}>
              {TEXT.submit}
            </Button>
            <Button variant="default" onClick={() => setStep({ name: 'address' })}>
              {TEXT.startAgain}
            </Button>
          </Stack>
        </form>
      )}
    </OpenPage>
  );
}
