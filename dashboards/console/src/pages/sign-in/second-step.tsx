import { Button, Divider, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { FactorFailure } from '../second-factor/factor-failure.tsx';
import { canUsePasskeys, createPasskey, signWithPasskey } from '../second-factor/passkey-calls.ts';
import { PasskeyForm } from '../second-factor/passkey-form.tsx';
import { RecoveryCodes } from '../second-factor/recovery-codes.tsx';
import { SECOND_FACTOR_TEXT } from '../second-factor/text.ts';
import { TotpForm } from '../second-factor/totp-form.tsx';

const TEXT = SECOND_FACTOR_TEXT.signIn;
const KEY = ['second-step'] as const;

type Waiting = NonNullable<Answer<'get', '/api/auth/second-factor'>['waiting']>;
type Completed = Answer<'post', '/api/auth/second-factor'>;

/**
 * Fetches the pending sign-in, which a cookie identifies that scripts cannot read, and whether sign-in with a passkey
 * is available.
 */
export function useSecondStep() {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('get', '/api/auth/second-factor', { signal }),
    staleTime: 0,
  });
  return {
    waiting: data?.waiting ?? undefined,
    passkeys: data?.passkeys === true && canUsePasskeys(),
    reload: () => queries.invalidateQueries({ queryKey: KEY }),
  };
}

/** Signs in with a passkey instead of a password. */
export async function signInWithPasskey(): Promise<void> {
  const response = await signWithPasskey(await call('post', '/api/auth/passkey/options', {}));
  await call('post', '/api/auth/passkey', { body: { response } });
}

interface Props {
  readonly waiting: Waiting;
  /** Called when the session is open. `returnTo` is null unless the provider sign-in requested a page. */
  readonly onDone: (returnTo: string | null) => Promise<void>;
  readonly onCancel: () => Promise<unknown>;
}

/**
 * The second step of a sign-in: a code or a passkey, or enrolment of the first second factor for an account that must
 * have one.
 */
export function SecondStep({ waiting, onDone, onCancel }: Props) {
  const cancel = useMutation({
    mutationFn: async () => {
      await call('post', '/api/auth/second-factor/cancel', {});
      await onCancel();
    },
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {TEXT.account(waiting.email)}
      </Text>
      {waiting.step === 'enrol' ? <Enrol onDone={onDone} /> : <Verify waiting={waiting} onDone={onDone} />}
      <Button variant="subtle" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {TEXT.cancel}
      </Button>
    </Stack>
  );
}

function Verify({ waiting, onDone }: Pick<Props, 'waiting' | 'onDone'>) {
  const code = useMutation({
    mutationFn: async (typed: string) => {
      const { returnTo } = await call('post', '/api/auth/second-factor', { body: { code: typed } });
      await onDone(returnTo);
    },
  });
  const passkey = useMutation({
    mutationFn: async () => {
      const response = await signWithPasskey(await call('post', '/api/auth/second-factor/passkey/options', {}));
      const { returnTo } = await call('post', '/api/auth/second-factor/passkey', { body: { response } });
      await onDone(returnTo);
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    passkey.reset();
    code.mutate(String(new FormData(event.currentTarget).get('code')).trim());
  }

  const error = code.error ?? passkey.error;
  return (
    <>
      {error !== null && <FactorFailure error={error} />}
      {waiting.passkey && canUsePasskeys() && (
        <>
          <Button
            loading={passkey.isPending}
            onClick={() => {
              code.reset();
              passkey.mutate();
            }}
          >
            {TEXT.usePasskey}
          </Button>
          <Divider label={TEXT.or} />
        </>
      )}
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput
            name="code"
            label={TEXT.code}
            description={waiting.totp ? TEXT.codeHint : TEXT.recoveryHint}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            minLength={6}
            maxLength={32}
            required
            autoFocus
          />
          <Button
            type="submit"
            loading={code.isPending}
            variant={waiting.passkey && canUsePasskeys() ? 'default' : 'filled'}
          >
            {TEXT.action}
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        {TEXT.lost}
      </Text>
    </>
  );
}

function Enrol({ onDone }: Pick<Props, 'onDone'>) {
  const passkeys = canUsePasskeys();
  const [kind, setKind] = useState<'totp' | 'passkey'>('totp');
  const [completed, setCompleted] = useState<Completed>();

  async function complete(answer: Completed) {
    if (answer.recoveryCodes === undefined) await onDone(answer.returnTo);
    else setCompleted(answer);
  }

  if (completed?.recoveryCodes !== undefined)
    return <RecoveryCodes codes={completed.recoveryCodes} onDone={() => void onDone(completed.returnTo)} />;
  return (
    <>
      <Text size="sm">{TEXT.enrolHint}</Text>
      {passkeys && (
        <SegmentedControl
          aria-label={TEXT.enrolTitle}
          value={kind}
          onChange={(value) => setKind(value === 'passkey' ? 'passkey' : 'totp')}
          data={[
            { value: 'totp', label: TEXT.chooseApp },
            { value: 'passkey', label: TEXT.choosePasskey },
          ]}
        />
      )}
      {kind === 'totp' ? (
        <TotpForm
          start={() => call('post', '/api/auth/second-factor/totp', {})}
          confirm={async (code) =>
            complete(await call('post', '/api/auth/second-factor/totp/confirm', { body: { code } }))
          }
        />
      ) : (
        <PasskeyForm
          add={async (name) => {
            const options = await call('post', '/api/auth/second-factor/passkey/enrol/options', {});
            const response = await createPasskey(options);
            await complete(await call('post', '/api/auth/second-factor/passkey/enrol', { body: { name, response } }));
          }}
        />
      )}
    </>
  );
}
