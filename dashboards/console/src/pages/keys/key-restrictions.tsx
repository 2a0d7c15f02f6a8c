import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type Body, call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import type { ApiKey } from './api-key.ts';
import { RestrictionFields, readRestrictions } from './restriction-fields.tsx';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.restrictions;

/** Networks, workflows, agents and limits of a key. */
export function KeyRestrictions({
  apiKey,
  onDone,
}: {
  readonly apiKey: ApiKey;
  readonly onDone: () => Promise<unknown>;
}) {
  const [opened, { open, close }] = useDisclosure();
  const saving = useMutation({
    mutationFn: (body: Body<'patch', '/api/user/api-keys/{keyId}'>) =>
      call('patch', '/api/user/api-keys/{keyId}', { path: { keyId: apiKey.keyId }, body }),
    async onSuccess() {
      showDone(TEXT.done);
      close();
      await onDone();
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    saving.mutate(readRestrictions(new FormData(event.currentTarget)));
  }

  return (
    <>
      <Button variant="default" onClick={open}>
        {TEXT.open}
      </Button>
      <SecretDialog opened={opened} title={TEXT.title(apiKey.label)} onClose={close}>
        <form onSubmit={onSubmit}>
          <Stack gap="sm">
            {saving.isError && <FailureNotice error={saving.error} />}
            <RestrictionFields current={apiKey} focused />
            <FormButtons submit={TEXT.action} loading={saving.isPending} onCancel={close} />
          </Stack>
        </form>
      </SecretDialog>
    </>
  );
}
