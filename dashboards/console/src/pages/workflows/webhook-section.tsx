import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.webhook;

type Webhook = Answer<'put', '/api/v1/workflows/{id}/webhook'>;

/** Creates and removes the webhook. Its secret is shown only once, here. */
export function WebhookSection({
  workflow,
  open,
  onChanged,
}: {
  readonly workflow: string;
  readonly open: boolean;
  readonly onChanged: () => Promise<unknown>;
}) {
  const [created, setCreated] = useState<Webhook>();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<'renew' | 'close'>();

  async function openIt() {
    setCreated(await call('put', '/api/v1/workflows/{id}/webhook', { path: { id: workflow } }));
    await onChanged();
  }
  async function openFirst() {
    setBusy(true);
    await openIt().catch(showFailure);
    setBusy(false);
  }

  return (
    <Stack gap="sm">
      {created !== undefined && (
        <Alert variant="outline" title={TEXT.secretTitle} role="status">
          <JsonText label={TEXT.secret} value={created.secret} />
          <Text size="sm" mt="xs">
            {TEXT.instruction[0]}
            <Code>{new URL(created.path, location.origin).href}</Code>
            {TEXT.instruction[1]}
            <Code>{created.header}</Code>
            {TEXT.instruction[2]}
            <Code>{TEXT.header}</Code>
            {TEXT.instruction[3]}
            <Code>{TEXT.signed}</Code>
            {TEXT.instruction[4]}
          </Text>
        </Alert>
      )}
      {open ? (
        <Group>
          <Button variant="default" onClick={() => setAsking('renew')}>
            {TEXT.renew}
          </Button>
          <Button variant="default" onClick={() => setAsking('close')}>
            {TEXT.close}
          </Button>
        </Group>
      ) : (
        <Group>
          <Button variant="default" loading={busy} onClick={openFirst}>
            {TEXT.open}
          </Button>
          <Text size="sm" c="dimmed">
            {TEXT.openHint}
          </Text>
        </Group>
      )}
      <Confirm
        opened={asking === 'renew'}
        title={TEXT.renewTitle}
        action={TEXT.renewAction}
        onClose={() => setAsking(undefined)}
        onConfirm={openIt}
      >
        {TEXT.renewConsequence}
      </Confirm>
      <Confirm
        opened={asking === 'close'}
        title={TEXT.closeTitle}
        action={TEXT.closeAction}
        onClose={() => setAsking(undefined)}
        onConfirm={async () => {
          await call('delete', '/api/v1/workflows/{id}/webhook', { path: { id: workflow } });
          setCreated(undefined);
          await onChanged();
          showDone(TEXT.closed);
        }}
      >
        {TEXT.closeConsequence}
      </Confirm>
    </Stack>
  );
}
