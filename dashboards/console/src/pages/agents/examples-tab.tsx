import { Box, Button, Group, Loader, Table, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { CreateButton } from '../../parts/create-button.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { showFailure } from '../../parts/show-failure.tsx';
import { ChecksSection } from './checks-section.tsx';
import { EvaluationSection } from './evaluation-section.tsx';
import { EVALUATION_TEXT } from './evaluation-text.ts';
import { ExampleDrawer } from './example-drawer.tsx';
import { type Agent, type Example, examplesQuery } from './queries.ts';

const TEXT = EVALUATION_TEXT.examples;
const agentRoute = getRouteApi('/_signed-in/agents/$id/');

/** The test cases of an agent, and the result of a batch. */
export function ExamplesTab({ agent: { slug } }: { readonly agent: Agent }) {
  const { batchId } = agentRoute.useSearch();
  const navigate = useNavigate({ from: '/agents/$id/' });
  const { data, error, refetch } = useQuery(examplesQuery(slug));
  const [opened, setOpened] = useState<Example | 'new'>();
  const [busy, setBusy] = useState(false);

  async function evaluate() {
    setBusy(true);
    try {
      const started = await call('post', '/api/v1/agents/{agentId}/evaluations', { path: { agentId: slug }, body: {} });
      await navigate({ search: { tab: 'examples', batchId: started.batchId } });
    } catch (failed) {
      showFailure(failed);
    } finally {
      setBusy(false);
    }
  }

  if (data === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader aria-label={TEXT.loading} />
    );
  const examples = data.data;
  return (
    <>
      <Group mb="sm">
        <Button onClick={evaluate} loading={busy} disabled={examples.length === 0}>
          {TEXT.runAll}
        </Button>
        <CreateButton variant="default" onClick={() => setOpened('new')}>
          {TEXT.create}
        </CreateButton>
      </Group>
      {examples.length === 0 ? (
        <Text c="dimmed">{TEXT.empty}</Text>
      ) : (
        <Table aria-label={TEXT.list}>
          <HeadRow
            columns={[TEXT.columns.name, TEXT.columns.comparison, { label: TEXT.columns.expected, wideOnly: true }]}
          />
          <Table.Tbody>
            {examples.map((example) => (
              <Table.Tr key={example.id}>
                <Table.Td>
                  <UnstyledButton onClick={() => setOpened(example)}>
                    <b>{example.name}</b>
                  </UnstyledButton>
                </Table.Td>
                <Table.Td>{TEXT.comparisons[example.comparison] ?? example.comparison}</Table.Td>
                <Table.Td visibleFrom="sm" className="tl-mono">
                  {shown(example)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {batchId !== undefined && <EvaluationSection key={batchId} agentId={slug} batchId={batchId} />}
      <Box mt="lg">
        <ChecksSection agentId={slug} />
      </Box>
      <ExampleDrawer agentId={slug} example={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}

const MAX_SHOWN = 80;

function shown({ expected, files }: Example): string {
  const text = expected === null ? '' : JSON.stringify(expected);
  const names = files.filter(({ kind }) => kind === 'expected').map(({ name }) => name);
  return [text.length > MAX_SHOWN ? TEXT.expectedText(text.slice(0, MAX_SHOWN)) : text, ...names]
    .filter(Boolean)
    .join(', ');
}
