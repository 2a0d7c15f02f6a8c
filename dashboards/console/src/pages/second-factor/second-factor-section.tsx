import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { FactorTable } from './factor-table.tsx';
import { canUsePasskeys, createPasskey } from './passkey-calls.ts';
import { PasskeyForm } from './passkey-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SECOND_FACTOR_TEXT } from './text.ts';
import { TotpForm } from './totp-form.tsx';

const TEXT = SECOND_FACTOR_TEXT;

/** A change that the user has started. */
type Step =
  | { readonly kind: 'totp' | 'passkey' | 'recovery' }
  | { readonly kind: 'remove'; readonly factor: string; readonly remove: () => Promise<unknown> }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

const KEY = ['second-factor'] as const;

/**
 * The second factors of the account. A change requires the password, unless it was entered within ten minutes.
 * Long: the markup of the section and its dialogs.
 */
export function SecondFactorSection() {
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>();
  const [afterConfirmation, setAfterConfirmation] = useState<Step>();
  const { data: factors, error } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const [own, passkeys] = await Promise.all([
        call('get', '/api/user/second-factor', { signal }),
        call('get', '/api/user/passkeys', { signal }),
      ]);
      return { ...own, list: passkeys.data, available: passkeys.available && canUsePasskeys() };
    },
  });
  if (error !== null) return <FailureNotice error={error} />;
  if (factors === undefined) return null;

  const reload = () => queries.invalidateQueries({ queryKey: KEY });

  function begin(next: Step) {
    const { confirmedUntil } = factors as NonNullable<typeof factors>;
    const confirmed = confirmedUntil !== null && new Date(confirmedUntil).getTime() > Date.now();
    if (confirmed) setStep(next);
    else setAfterConfirmation(next);
  }

  async function done(message: string, codes: readonly string[] | undefined) {
    showDone(message);
    setStep(codes === undefined ? undefined : { kind: 'codes', codes });
    await Promise.all([reload(), queries.invalidateQueries({ queryKey: ['sessions'] })]);
  }

  async function addPasskey(name: string) {
    const response = await createPasskey(await call('post', '/api/user/passkeys/options', {}));
    const { recoveryCodes } = await call('post', '/api/user/passkeys', { body: { name, response } });
    await done(TEXT.passkeys.done, recoveryCodes);
  }

  const close = () => setStep(undefined);
  const any = factors.totp || factors.list.length > 0;
  return (
    <Stack gap="sm">
      <Title order={2} size="h5" id="second-factor">
        {TEXT.title}
      </Title>
      <Text size="sm">
        {TEXT.hint} {factors.required && TEXT.required}
      </Text>
      {any ? (
        <FactorTable
          totp={factors.totp}
          passkeys={factors.list}
          onRemove={(factor, remove) => begin({ kind: 'remove', factor, remove })}
        />
      ) : (
        <Text size="sm">{TEXT.none}</Text>
      )}
      <Group>
        {!factors.totp && (
          <Button variant="default" onClick={() => begin({ kind: 'totp' })}>
            {TEXT.addApp}
          </Button>
        )}
        {factors.available && (
          <Button variant="default" onClick={() => begin({ kind: 'passkey' })}>
            {TEXT.addPasskey}
          </Button>
        )}
        {any && (
          <Button variant="default" onClick={() => begin({ kind: 'recovery' })}>
            {TEXT.recovery.create}
          </Button>
        )}
      </Group>
      {any && <Text size="sm">{TEXT.recovery.left(factors.recoveryCodesLeft)}</Text>}
      {!factors.available && (
        <Text size="sm" c="dimmed">
          {TEXT.noPasskeys}
        </Text>
      )}

      <SecretDialog
        opened={afterConfirmation !== undefined}
        title={TEXT.confirm.title}
        onClose={() => setAfterConfirmation(undefined)}
      >
        <ConfirmForm
          by={factors.confirmBy}
          onConfirmed={() => {
            setStep(afterConfirmation);
            setAfterConfirmation(undefined);
            void reload();
          }}
        />
      </SecretDialog>
      <SecretDialog opened={step?.kind === 'totp'} title={TEXT.totp.title} onClose={close}>
        <TotpForm
          start={() => call('post', '/api/user/second-factor/totp', {})}
          confirm={async (code) => {
            const { recoveryCodes } = await call('post', '/api/user/second-factor/totp/confirm', { body: { code } });
            await done(TEXT.totp.done, recoveryCodes);
          }}
        />
      </SecretDialog>
      <SecretDialog opened={step?.kind === 'passkey'} title={TEXT.passkeys.title} onClose={close}>
        <PasskeyForm add={addPasskey} />
      </SecretDialog>
      <SecretDialog opened={step?.kind === 'codes'} title={TEXT.recovery.title} onClose={close}>
        {step?.kind === 'codes' && <RecoveryCodes codes={step.codes} onDone={close} />}
      </SecretDialog>
      <Confirm
        opened={step?.kind === 'recovery'}
        title={TEXT.recovery.question}
        action={TEXT.recovery.createAction}
        onConfirm={async () => {
          const { recoveryCodes } = await call('post', '/api/user/second-factor/recovery-codes', {});
          setStep({ kind: 'codes', codes: recoveryCodes });
          await reload();
        }}
        // Keeps the new codes open, because they are shown only once.
        onClose={() => setStep((now) => (now?.kind === 'recovery' ? undefined : now))}
      >
        {TEXT.recovery.consequence}
      </Confirm>
      <Confirm
        opened={step?.kind === 'remove'}
        title={step?.kind === 'remove' ? TEXT.removeTitle(step.factor) : ''}
        action={TEXT.remove}
        onConfirm={async () => {
          if (step?.kind !== 'remove') return;
          await step.remove();
          showDone(TEXT.removed);
          await reload();
        }}
        onClose={close}
      >
        {TEXT.removeConsequence}
      </Confirm>
    </Stack>
  );
}
