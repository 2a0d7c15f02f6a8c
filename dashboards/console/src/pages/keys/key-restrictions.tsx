import { Button, Group, NumberInput, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type Body, call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import type { ApiKey } from './api-key.ts';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.restrictions;
const MAX_REQUESTS = 100_000;

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
    const form = new FormData(event.currentTarget);
    saving.mutate({
      networks: linesOf(form.get('networks')),
      workflows: linesOf(form.get('workflows')),
      agents: linesOf(form.get('agents')),
      requestsPerMinute: numberOf(form.get('minute')),
      requestsPerDay: numberOf(form.get('day')),
    });
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
            <Textarea
              name="networks"
              label={TEXT.networks}
              description={TEXT.networksHint}
              defaultValue={apiKey.networks.join('\n')}
              autosize
              minRows={2}
            />
            <Textarea
              name="workflows"
              label={TEXT.workflows}
              description={TEXT.workflowsHint}
              defaultValue={apiKey.workflows.join('\n')}
              autosize
              minRows={2}
            />
            <Textarea
              name="agents"
              label={TEXT.agents}
              description={TEXT.agentsHint}
              defaultValue={apiKey.agents.join('\n')}
              autosize
              minRows={2}
            />
            <Group grow align="flex-start">
              <NumberInput
                name="minute"
                label={TEXT.perMinute}
                description={TEXT.limitHint}
                defaultValue={apiKey.requestsPerMinute ?? ''}
                min={1}
                max={MAX_REQUESTS}
                allowDecimal={false}
                hideControls
              />
              <NumberInput
                name="day"
                label={TEXT.perDay}
                description={TEXT.limitHint}
                defaultValue={apiKey.requestsPerDay ?? ''}
                min={1}
                max={MAX_REQUESTS}
                allowDecimal={false}
                hideControls
              />
            </Group>
            <Button type="submit" loading={saving.isPending}>
              {TEXT.action}
            </Button>
          </Stack>
        </form>
      </SecretDialog>
    </>
  );
}

function linesOf(value: FormDataEntryValue | null): string[] {
  return String(value ?? '')
    .split(/[\s,]+/)
    .filter((line) => line !== '');
}

function numberOf(value: FormDataEntryValue | null): number | null {
  const text = String(value ?? '').trim();
  return text === '' ? null : Number(text);
}
