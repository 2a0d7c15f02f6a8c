import { Button, Code, Group, Loader, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { counted } from '../../parts/counted.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/head-row.tsx';
import { showFailure } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { type Trigger, triggersQuery, type Workflow, workflowKey } from './queries.ts';
import { WebhookSection } from './webhook-section.tsx';

const KINDS: Readonly<Record<Trigger['kind'], string>> = {
  schedule: 'By clock (UTC)',
  after: 'After the end of the last execution',
  event: 'By events',
  webhook: 'By a signed request',
};

/** What makes the workflow begin by itself. Schedules and events stand in its definition; the webhook is opened here. */
export function TriggersTab({ workflow: { name } }: { readonly workflow: Workflow }) {
  const { data, error, refetch } = useQuery(triggersQuery(name));
  const queries = useQueryClient();
  const changed = () => queries.invalidateQueries({ queryKey: [...workflowKey(name), 'triggers'] });
  if (data === undefined)
    return error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <Loader aria-label="Loading" />;
  const webhook = data.data.find(({ kind }) => kind === 'webhook');

  async function turn({ kind }: Trigger, enabled: boolean) {
    try {
      await call('patch', '/api/v1/workflows/{id}/triggers/{kind}', { path: { id: name, kind }, body: { enabled } });
      await changed();
    } catch (failed) {
      showFailure(failed);
    }
  }

  return (
    <Stack>
      <Group justify="space-between">
        <Text>
          What its definition says under <Code>schedule</Code>, and its webhook.
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          Look again
        </Button>
      </Group>
      {data.data.length === 0 ? (
        <Text c="dimmed">Nothing makes it begin by itself.</Text>
      ) : (
        <Table aria-label="Triggers">
          <HeadRow columns={['Trigger', 'On', { label: 'Last', wideOnly: true }, 'Next']} />
          <Table.Tbody>
            {data.data.map((trigger) => (
              <Table.Tr key={trigger.id}>
                <Table.Td>
                  {KINDS[trigger.kind]}
                  {Object.keys(trigger.spec).length > 0 && (
                    <Text size="xs" c="dimmed" className="tl-mono">
                      {JSON.stringify(trigger.spec)}
                    </Text>
                  )}
                  {trigger.problem !== null && (
                    <Text size="sm" c="red">
                      {trigger.problem}
                    </Text>
                  )}
                  {trigger.missed > 0 && (
                    <Text size="sm">Left out {counted(trigger.missed, 'time')}: no worker was there.</Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Switch
                    checked={trigger.enabled}
                    aria-label={`${KINDS[trigger.kind]}: on`}
                    onChange={({ currentTarget: { checked } }) => void turn(trigger, checked)}
                  />
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  {trigger.lastAt === null ? 'never' : <TimeText at={trigger.lastAt} ago />}
                </Table.Td>
                <Table.Td>{trigger.nextAt === null ? '' : <TimeText at={trigger.nextAt} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Title order={2} size="h5">
        Webhook
      </Title>
      <WebhookSection workflow={name} open={webhook !== undefined} onChanged={changed} />
    </Stack>
  );
}
