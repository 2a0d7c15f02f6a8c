import { Button, Code, Group, Loader, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { showFailure } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { type Trigger, triggersQuery, type Workflow, workflowKey } from './queries.ts';
import { WORKFLOWS_TEXT } from './text.ts';
import { triggerText } from './trigger-text.ts';
import { WebhookSection } from './webhook-section.tsx';

const TEXT = WORKFLOWS_TEXT.triggers;

/** Automatic triggers of the workflow. Schedules and events are in its definition, and the webhook is created here. */
export function TriggersTab({ workflow: { name } }: { readonly workflow: Workflow }) {
  const { data, error, refetch } = useQuery(triggersQuery(name));
  const queries = useQueryClient();
  const changed = () => queries.invalidateQueries({ queryKey: [...workflowKey(name), 'triggers'] });
  if (data === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader aria-label={TEXT.loading} />
    );
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
          {TEXT.hint[0]}
          <Code>{TEXT.hint[1]}</Code>
          {TEXT.hint[2]}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          {TEXT.refresh}
        </Button>
      </Group>
      {data.data.length === 0 ? (
        <Text c="dimmed">{TEXT.empty}</Text>
      ) : (
        <Table aria-label={TEXT.list}>
          <HeadRow
            columns={[
              TEXT.columns.trigger,
              TEXT.columns.enabled,
              { label: TEXT.columns.last, wideOnly: true },
              TEXT.columns.next,
            ]}
          />
          <Table.Tbody>
            {data.data.map((trigger) => (
              <Table.Tr key={trigger.id}>
                <Table.Td>
                  {triggerText(trigger)}
                  {trigger.problem !== null && (
                    <Text size="sm" c="red">
                      {trigger.problem}
                    </Text>
                  )}
                  {trigger.missed > 0 && <Text size="sm">{TEXT.missed(trigger.missed)}</Text>}
                </Table.Td>
                <Table.Td>
                  <Switch
                    checked={trigger.enabled}
                    aria-label={TEXT.enabled(triggerText(trigger))}
                    onChange={({ currentTarget: { checked } }) => void turn(trigger, checked)}
                  />
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  {trigger.lastAt === null ? TEXT.never : <TimeText at={trigger.lastAt} ago />}
                </Table.Td>
                <Table.Td>{trigger.nextAt === null ? '' : <TimeText at={trigger.nextAt} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Title order={2} size="h5">
        {WORKFLOWS_TEXT.webhook.title}
      </Title>
      <WebhookSection workflow={name} open={webhook !== undefined} onChanged={changed} />
    </Stack>
  );
}
