import { Alert, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { SecretDialog, ShownOnce } from '../../parts/secret-dialog.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { DETECTORS_TEXT } from './text.ts';

const TEXT = DETECTORS_TEXT.form;

/** Creates an enrolment token, and shows the command with it once. */
export function NewTokenDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  return (
    <SecretDialog opened={opened} title={TEXT.title} onClose={onClose}>
      <NewTokenForm onClose={onClose} />
    </SecretDialog>
  );
}

function NewTokenForm({ onClose }: { readonly onClose: () => void }) {
  const making = useMutation({
    mutationFn: async (wanted: { readonly hostname: string | undefined; readonly minutes: number }) => {
      const { hostname, minutes } = wanted;
      const body = { expiresInMinutes: minutes, ...(hostname === undefined ? {} : { hostname }) };
      return { hostname, created: await call('post', '/api/admin/detector-tokens', { body }) };
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const hostname = String(form.get('hostname')).trim();
    making.mutate({ hostname: hostname === '' ? undefined : hostname, minutes: Number(form.get('minutes')) });
  }

  if (making.isSuccess)
    return (
      <ShownOnce done={TEXT.done} onClose={onClose}>
        <NewToken {...making.data} />
      </ShownOnce>
    );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {making.isError && <FailureNotice error={making.error} />}
        <TextInput
          name="hostname"
          label={TEXT.hostname}
          description={TEXT.hostnameHint}
          placeholder={TEXT.hostnamePlaceholder}
          maxLength={253}
          data-autofocus
        />
        <NativeSelect name="minutes" label={TEXT.validFor} data={[...TEXT.periods]} />
        <FormButtons submit={TEXT.submit} loading={making.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function NewToken({
  created,
  hostname,
}: {
  readonly created: Answer<'post', '/api/admin/detector-tokens'>;
  readonly hostname: string | undefined;
}) {
  const { title, hint, label, command, expires, settings } = DETECTORS_TEXT.token;
  return (
    <Alert variant="outline" color="indigo" title={title} role="status" my="sm">
      <Text size="sm">{hint}</Text>
      <CopyText text={command(location.origin, created.token, hostname)} label={label} />
      <Text size="sm" c="dimmed">
        {settings(location.origin)}
      </Text>
      <Text size="sm" c="dimmed">
        {expires} <TimeText at={created.expiresAt} />
      </Text>
    </Alert>
  );
}
