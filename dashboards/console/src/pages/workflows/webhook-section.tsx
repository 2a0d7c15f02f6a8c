import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';

type Webhook = Answer<'put', '/api/v1/workflows/{id}/webhook'>;

/** Opens and closes the webhook. Its secret is told once, here. */
export function WebhookSection({
  workflow,
  open,
  onChanged,
}: {
  readonly workflow: string;
  readonly open: boolean;
  readonly onChanged: () => Promise<unknown>;
}) {
  const [told, setTold] = useState<Webhook>();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<'renew' | 'close'>();

  async function openIt() {
    setTold(await call('put', '/api/v1/workflows/{id}/webhook', { path: { id: workflow } }));
    await onChanged();
  }
  async function openFirst() {
    setBusy(true);
    await openIt().catch(showFailure);
    setBusy(false);
  }

  return (
    <Stack gap="sm">
      {told !== undefined && (
        <Alert variant="outline" title="Keep the secret now: it is not shown again" role="status">
          <JsonText label="secret" value={told.secret} />
          <Text size="sm" mt="xs">
            Send JSON with POST to <Code>{`${location.origin}${told.path}`}</Code>. The header{' '}
            <Code>{told.header}</Code> holds <Code>{'t=<seconds>,v1=<hmac>'}</Code>: the HMAC-SHA-256, in hexadecimal
            digits, of <Code>{'<seconds>.<body>'}</Code>.
          </Text>
        </Alert>
      )}
      {open ? (
        <Group>
          <Button variant="default" onClick={() => setAsking('renew')}>
            New secret …
          </Button>
          <Button variant="default" onClick={() => setAsking('close')}>
            Close the webhook …
          </Button>
        </Group>
      ) : (
        <Group>
          <Button variant="default" loading={busy} onClick={openFirst}>
            Open a webhook
          </Button>
          <Text size="sm" c="dimmed">
            Whoever has its secret can then start this workflow.
          </Text>
        </Group>
      )}
      <Confirm
        opened={asking === 'renew'}
        title="New secret"
        action="Make a new secret"
        onClose={() => setAsking(undefined)}
        onConfirm={openIt}
      >
        The secret there is now ends at once: what still signs with it is refused.
      </Confirm>
      <Confirm
        opened={asking === 'close'}
        title="Close the webhook"
        action="Close it"
        onClose={() => setAsking(undefined)}
        onConfirm={async () => {
          await call('delete', '/api/v1/workflows/{id}/webhook', { path: { id: workflow } });
          setTold(undefined);
          await onChanged();
          showDone('The webhook is closed');
        }}
      >
        Deliveries are refused from now on, as if there had never been a webhook.
      </Confirm>
    </Stack>
  );
}
