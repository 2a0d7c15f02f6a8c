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
            <LinesInput name="networks" label={TEXT.networks} hint={TEXT.networksHint} lines={apiKey.networks} />
            <LinesInput name="workflows" label={TEXT.workflows} hint={TEXT.workflowsHint} lines={apiKey.workflows} />
            <LinesInput name="agents" label={TEXT.agents} hint={TEXT.agentsHint} lines={apiKey.agents} />
            <Group grow align="flex-start">
              <LimitInput name="minute" label={TEXT.perMinute} limit={apiKey.requestsPerMinute} />
              <LimitInput name="day" label={TEXT.perDay} limit={apiKey.requestsPerDay} />
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

/** Names or networks to which the key is restricted, one per line. */
function LinesInput({
  name,
  label,
  hint,
  lines,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly lines: readonly string[];
}) {
  return <Textarea name={name} label={label} description={hint} defaultValue={lines.join('\n')} autosize minRows={2} />;
}

/** Maximum number of requests with the key in a period. Empty without a limit. */
function LimitInput({
  name,
  label,
  limit,
}: {
  readonly name: string;
  readonly label: string;
  readonly limit: number | null;
}) {
  return (
    <NumberInput
      name={name}
      label={label}
      description={TEXT.limitHint}
      defaultValue={limit ?? ''}
      min={1}
      max={MAX_REQUESTS}
      allowDecimal={false}
      hideControls
    />
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
