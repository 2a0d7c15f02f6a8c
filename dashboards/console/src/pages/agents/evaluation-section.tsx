import { Group, Loader, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { shareText } from '../../language/numbers.ts';
import { ExecutionStatus, hasEnded } from '../../parts/execution/status.tsx';
import { useFollow } from '../../parts/execution/use-follow.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { EVALUATION_TEXT } from './evaluation-text.ts';
import { evaluationQuery } from './queries.ts';

const TEXT = EVALUATION_TEXT.evaluation;

/** Results of a batch of test cases, updated as their runs finish. */
export function EvaluationSection({ agentId, batchId }: { readonly agentId: string; readonly batchId: string }) {
  const { data, error, refetch } = useQuery({ ...evaluationQuery(agentId, batchId), staleTime: 0 });
  if (data === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader mt="md" aria-label={TEXT.loading} />
    );
  const running = data.executions.find(({ status }) => !hasEnded(status));
  return (
    <section aria-label={TEXT.title}>
      <Title order={2} size="h5" mt="lg" mb="xs">
        {TEXT.title}
      </Title>
      <Group gap="xs" mb="xs" role="status">
        <StatusBadge text={TEXT.passed(data.passed)} tone="good" />
        <StatusBadge text={TEXT.failed(data.failed)} tone={data.failed > 0 ? 'bad' : 'neutral'} />
        {data.notCompared > 0 && <StatusBadge text={TEXT.notCompared(data.notCompared)} tone="warning" />}
        {data.passRate.rate !== null && data.passRate.interval !== null && (
          <Text size="sm">
            {TEXT.rate(
              shareText(data.passRate.rate),
              shareText(data.passRate.interval.low),
              shareText(data.passRate.interval.high),
            )}
          </Text>
        )}
        {data.open > 0 && <StatusBadge text={TEXT.running(data.open)} />}
        <Text size="xs" c="dimmed" className="tl-mono">
          {batchId}
        </Text>
      </Group>
      {running !== undefined && (
        <UntilEnd key={running.executionId} executionId={running.executionId} onEnd={() => void refetch()} />
      )}
      <Table aria-label={TEXT.results}>
        <HeadRow columns={[TEXT.columns.example, TEXT.columns.status, TEXT.columns.passed, TEXT.columns.differences]} />
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
                  <StatusBadge
                    text={evaluation.passed === null ? TEXT.notMade : evaluation.passed ? TEXT.pass : TEXT.fail}
                    tone={evaluation.passed === null ? 'neutral' : evaluation.passed ? 'good' : 'bad'}
                  />
                )}
              </Table.Td>
              <Table.Td>
                {evaluation?.differences.slice(0, 3).map(({ path, message }) => (
                  <Text size="sm" key={`${path} ${message}`}>
                    <span className="tl-mono">{path || TEXT.root}</span>
                    {TEXT.difference(message)}
                  </Text>
                ))}
                {evaluation?.checks
                  ?.filter(({ passed, votes }) => passed !== true || votes !== undefined)
                  .map(({ name, message, votes }) => (
                    <Text size="sm" key={name}>
                      {TEXT.check(name, message)}
                      {votes?.agreement != null && ` (${TEXT.votes(shareText(votes.agreement))})`}
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

/** Calls `onEnd` when an execution has finished. */
function UntilEnd({ executionId, onEnd }: { readonly executionId: string; readonly onEnd: () => void }) {
  const { ended } = useFollow(executionId);
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    if (ended) latest.current();
  }, [ended]);
  return null;
}
