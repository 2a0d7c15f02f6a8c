import { Group, Loader, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ExecutionStatus, hasEnded } from '../../parts/execution/status.tsx';
import { useFollow } from '../../parts/execution/use-follow.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/head-row.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { evaluationQuery } from './queries.ts';

/** How the runs of a batch compare with what their examples expect, as they end. */
export function EvaluationSection({ agentId, batchId }: { readonly agentId: string; readonly batchId: string }) {
  const { data, error, refetch } = useQuery({ ...evaluationQuery(agentId, batchId), staleTime: 0 });
  if (data === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader mt="md" aria-label="Loading" />
    );
  const running = data.executions.find(({ status }) => !hasEnded(status));
  return (
    <section aria-label="Evaluation">
      <Title order={2} size="h5" mt="lg" mb="xs">
        Evaluation
      </Title>
      <Group gap="xs" mb="xs" role="status">
        <StatusBadge text={`${data.passed} as expected`} tone="good" />
        <StatusBadge text={`${data.failed} not`} tone={data.failed > 0 ? 'bad' : 'neutral'} />
        {data.notCompared > 0 && <StatusBadge text={`${data.notCompared} not compared`} tone="warning" />}
        {data.open > 0 && <StatusBadge text={`${data.open} under way`} />}
        <Text size="xs" c="dimmed" className="tl-mono">
          {batchId}
        </Text>
      </Group>
      {running !== undefined && (
        <UntilEnd key={running.executionId} executionId={running.executionId} onEnd={() => void refetch()} />
      )}
      <Table aria-label="Results">
        <HeadRow columns={['Example', 'State', 'As expected', 'Difference']} />
        <Table.Tbody>
          {data.executions.map(({ executionId, exampleName, status, evaluation }) => (
            <Table.Tr key={executionId}>
              <Table.Td>
                <PageLink
                  to="/agents/$id/executions/$execution"
                  params={{ id: agentId, execution: executionId }}
                  size="sm"
                >
                  {exampleName}
                </PageLink>
              </Table.Td>
              <Table.Td>
                <ExecutionStatus status={status} />
              </Table.Td>
              <Table.Td>
                {evaluation !== null && (
                  <StatusBadge text={evaluation.passed ? 'yes' : 'no'} tone={evaluation.passed ? 'good' : 'bad'} />
                )}
              </Table.Td>
              <Table.Td>
                {evaluation?.differences.slice(0, 3).map(({ path, message }) => (
                  <Text size="sm" key={`${path} ${message}`}>
                    <span className="tl-mono">{path || 'output'}</span>: {message}
                  </Text>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** Waits for the end of one of them: then there is something new, and the next one is waited for. */
function UntilEnd({ executionId, onEnd }: { readonly executionId: string; readonly onEnd: () => void }) {
  const { ended } = useFollow(executionId);
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    if (ended) latest.current();
  }, [ended]);
  return null;
}
