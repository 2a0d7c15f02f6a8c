import { Alert, Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, call } from '../../../api/client.ts';
import { triggerText } from '../../../parts/execution/starter.ts';
import { ExecutionStatus } from '../../../parts/execution/status.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { HeadRow } from '../../../parts/list/head-row.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { Section } from '../../../parts/section.tsx';
import { momentText } from '../../../parts/time/time-words.ts';
import { visible } from '../../../parts/visible.ts';
import { workflowKey } from '../queries.ts';
import { WORKFLOWS_TEXT } from '../text.ts';
import { recordedQuery } from './queries.ts';

const TEXT = WORKFLOWS_TEXT.dryRun;
const WAIT_SECONDS = 30;
/** Maximum length of an output in the table. The page of the execution shows it completely. */
const MAX_OUTPUT = 200;

type Outcome = Answer<'get', '/api/v1/workflows/executions/{executionId}'>;

/** Runs a draft without side effects, on the data that an earlier execution recorded. */
export function DryRunSection({ slug, text }: { readonly slug: string; readonly text: string }) {
  const { data: executions = [], isSuccess } = useQuery(recordedQuery(slug));
  const [chosen, setChosen] = useState('');
  const queries = useQueryClient();
  const executionId = chosen === '' ? executions[0]?.id : chosen;
  const running = useMutation({
    async mutationFn(source: string) {
      const body = { yamlContent: text, executionId: source };
      const { executionId: id } = await call('post', '/api/v1/workflows/{id}/dry-run', { path: { id: slug }, body });
      void queries.invalidateQueries({ queryKey: [...workflowKey(slug), 'executions'] });
      const query = { includeSteps: true, wait_for_completion: WAIT_SECONDS };
      return call('get', '/api/v1/workflows/executions/{executionId}', { path: { executionId: id }, query });
    },
  });
  return (
    <Section title={TEXT.title}>
      <Stack gap="sm">
        <Text size="sm" maw="60rem">
          {TEXT.hint}
        </Text>
        {isSuccess && executions.length === 0 ? (
          <Text c="dimmed">{TEXT.none}</Text>
        ) : (
          <Group align="flex-end" gap="xs">
            <NativeSelect
              label={TEXT.execution}
              value={executionId ?? ''}
              data={executions.map(({ id, createdAt, status, triggerType }) => ({
                value: id,
                label: TEXT.option(momentText(new Date(createdAt)), status, triggerText(triggerType)),
              }))}
              onChange={({ currentTarget: { value } }) => setChosen(value)}
            />
            <Button
              variant="default"
              loading={running.isPending}
              disabled={executionId === undefined}
              onClick={() => executionId !== undefined && running.mutate(executionId)}
            >
              {TEXT.start}
            </Button>
          </Group>
        )}
        {running.isError && <FailureNotice error={running.error} />}
        {running.data !== undefined && <DryRunResult outcome={running.data} />}
      </Stack>
    </Section>
  );
}

function DryRunResult({ outcome }: { readonly outcome: Outcome }) {
  const { id, status, error, steps = [] } = outcome;
  const title = status === 'completed' ? TEXT.completed : error === undefined ? TEXT.running : TEXT.stopped;
  return (
    <>
      <Alert variant="outline" role="status" {...(error === undefined ? {} : { color: 'red' })} title={title}>
        {error !== undefined && <Text size="sm">{visible(error)}</Text>}
        <PageLink to="/executions/$id" params={{ id }} underline="always">
          {TEXT.open}
        </PageLink>
      </Alert>
      <Table aria-label={TEXT.steps}>
        <HeadRow columns={[TEXT.columns.step, TEXT.columns.status, { label: TEXT.columns.output, wideOnly: true }]} />
        <Table.Tbody>
          {steps.map(({ step, name, status: of, attempt, output }) => (
            <Table.Tr key={`${attempt} ${step}`}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                <ExecutionStatus status={of} />
              </Table.Td>
              <Table.Td visibleFrom="sm" className="tl-mono" style={{ overflowWrap: 'anywhere' }}>
                {output === undefined ? '' : visible(shortened(JSON.stringify(output)))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function shortened(text: string): string {
  return text.length <= MAX_OUTPUT ? text : `${text.slice(0, MAX_OUTPUT)}…`;
}
