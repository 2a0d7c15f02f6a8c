import { Alert, Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Failure } from '../api/failure.ts';
import { sessionQuery } from '../api/session.ts';
import { sessionHasEnded } from '../app/kept-role.ts';
import { FactorFailure } from '../pages/second-factor/factor-failure.tsx';
import { SECOND_FACTOR_TEXT } from '../pages/second-factor/text.ts';
import { NoCookieNotice } from '../pages/sign-in/no-cookie-notice.tsx';
import { OpenPage } from '../pages/sign-in/open-page.tsx';
import { ProviderButtons } from '../pages/sign-in/provider-buttons.tsx';
import { ownAddress, type SignInSearch } from '../pages/sign-in/search.ts';
import { SecondStep, signInWithPasskey, useSecondStep } from '../pages/sign-in/second-step.tsx';
import { openedSession, signIn } from '../pages/sign-in/sign-in.ts';
import { SIGN_IN_TEXT } from '../pages/sign-in/text.ts';
import { useWaysIn } from '../pages/sign-in/ways-in.ts';
import { defined } from '../parts/defined.ts';
import { onlyRead } from '../parts/search-params.ts';

export const Route = createFileRoute('/sign-in')({
  validateSearch: onlyRead<SignInSearch>((search) => defined({ returnTo: ownAddress(search.returnTo) })),
  beforeLoad: async ({ context, search }) => {
    const profile = await context.queries.ensureQueryData(sessionQuery).catch(() => null);
    if (profile !== null) throw redirect({ href: search.returnTo ?? '/' });
  },
  component: SignInPage,
});

const TEXT = SIGN_IN_TEXT.signIn;
const REGISTER = { to: '/register', text: TEXT.register };
const FORGOT = { to: '/forgot-password', text: TEXT.forgot };

function SignInPage() {
  const { returnTo } = Route.useSearch();
  const registration = useWaysIn()?.registration ?? 'closed';
  const queries = useQueryClient();
  const router = useRouter();
  const [failure, setFailure] = useState<unknown>();
  const [noCookie, setNoCookie] = useState(false);
  const [busy, setBusy] = useState(false);
  const { waiting, passkeys, reload } = useSecondStep();

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credentials = { email: String(form.get('email')), password: String(form.get('password')) };
    await attempt(async () => {
      const profile = await signIn(queries, credentials);
      if (profile === undefined) setNoCookie(true);
      else if (profile === 'second-step') await reload();
      else await router.navigate({ href: returnTo ?? '/' });
    });
  }

  async function go(address: string | null) {
    if ((await openedSession(queries)) === undefined) setNoCookie(true);
    else await router.navigate({ href: returnTo ?? ownAddress(address ?? undefined) ?? '/' });
  }

  async function attempt(work: () => Promise<void>) {
    setBusy(true);
    setFailure(undefined);
    setNoCookie(false);
    try {
      await work();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  if (waiting !== undefined)
    return (
      <OpenPage
        title={waiting.step === 'enrol' ? SECOND_FACTOR_TEXT.signIn.enrolTitle : SECOND_FACTOR_TEXT.signIn.title}
        links={[]}
      >
        {noCookie && <NoCookieNotice />}
        <SecondStep waiting={waiting} onDone={go} onCancel={reload} />
      </OpenPage>
    );
  return (
    <OpenPage title={TEXT.title} links={registration === 'closed' ? [FORGOT] : [REGISTER, FORGOT]}>
      {returnTo !== undefined && (
        <Text size="sm" c="dimmed" mb="sm">
          {sessionHasEnded() ? TEXT.sessionEnded : TEXT.sessionNeeded}
        </Text>
      )}
      {failure !== undefined &&
        (isWrongPassword(failure) ? <WrongPassword failure={failure} /> : <FactorFailure error={failure} />)}
      {noCookie && <NoCookieNotice />}
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput name="email" type="email" label={TEXT.email} autoComplete="username" required />
          <PasswordInput name="password" label={TEXT.password} autoComplete="current-password" required />
          <Button type="submit" loading={busy}>
            {TEXT.action}
          </Button>
        </Stack>
      </form>
      {passkeys && (
        <Button
          variant="default"
          fullWidth
          mt="sm"
          disabled={busy}
          onClick={() =>
            void attempt(async () => {
              await signInWithPasskey();
              await go(null);
            })
          }
        >
          {SECOND_FACTOR_TEXT.signIn.withPasskey}
        </Button>
      )}
      <ProviderButtons returnTo={returnTo} />
    </OpenPage>
  );
}

/** At sign-in, 401 means wrong credentials, because there is no session that could have ended. */
function isWrongPassword(error: unknown): error is Failure {
  return error instanceof Failure && error.status === 401;
}

function WrongPassword({ failure: { requestId } }: { readonly failure: Failure }) {
  return (
    <Alert color="red" variant="outline" title={TEXT.wrong} role="alert" my="sm">
      {requestId !== undefined && (
        <details>
          <Text component="summary" size="xs" c="dimmed">
            {TEXT.details}
          </Text>
          <Text size="xs" c="dimmed">
            {TEXT.request} <Code>{requestId}</Code>
          </Text>
        </details>
      )}
    </Alert>
  );
}
