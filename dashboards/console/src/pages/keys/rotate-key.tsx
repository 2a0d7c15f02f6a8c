import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { call } from '../../api/client.ts';
import { defined } from '../../parts/defined.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { NewSecret } from '../../parts/new-secret.tsx';
import { SecretDialog, ShownOnce } from '../../parts/secret-dialog.tsx';
import { MomentInput } from '../../parts/time/moment-input.tsx';
import { timeOfInput } from '../../parts/time/time-input.ts';
import type { ApiKey } from './api-key.ts';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.rotation;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const DAYS = [1, 7, 30] as const;

/** Replaces the secret of a key and shows it once. */
export function RotateKey({ apiKey, onDone }: { readonly apiKey: ApiKey; readonly onDone: () => Promise<unknown> }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {TEXT.open}
      </Button>
      <SecretDialog opened={opened} title={TEXT.title(apiKey.label)} onClose={close}>
        <RotateForm
          keyId={apiKey.keyId}
          onCancel={close}
          onDone={() => {
            close();
            void onDone();
          }}
        />
      </SecretDialog>
    </>
  );
}

function RotateForm({
  keyId,
  onCancel,
  onDone,
}: {
  readonly keyId: string;
  readonly onCancel: () => void;
  /** Called when the user has saved the new secret. */
  readonly onDone: () => void;
}) {
  const rotating = useMutation({
    mutationFn: (body: { overlapSeconds: number; expiresAt?: string }) =>
      call('post', '/api/user/api-keys/{keyId}/rotate', { path: { keyId }, body }),
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    rotating.mutate({
      overlapSeconds: Number(form.get('overlap')),
      ...defined({ expiresAt: timeOfInput(String(form.get('ends'))) }),
    });
  }

  if (rotating.isSuccess)
    return (
      <ShownOnce done={KEYS_TEXT.form.saved} onClose={onDone}>
        <NewSecret secret={rotating.data.apiKey} />
      </ShownOnce>
    );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {rotating.isError && <FailureNotice error={rotating.error} />}
        <Text size="sm">{TEXT.hint}</Text>
        <NativeSelect
          name="overlap"
          label={TEXT.overlap}
          defaultValue={String(DAY_S)}
          data-autofocus
          data={[
            { value: '0', label: TEXT.none },
            { value: String(HOUR_S), label: TEXT.hour },
            ...DAYS.map((days) => ({ value: String(days * DAY_S), label: TEXT.days(days) })),
          ]}
        />
        <MomentInput name="ends" label={TEXT.expires} description={TEXT.expiresHint} />
        <FormButtons submit={TEXT.action} loading={rotating.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
