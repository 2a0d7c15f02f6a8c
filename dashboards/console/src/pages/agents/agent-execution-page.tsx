import { Alert, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { durationText } from '../../parts/execution/duration.ts';
import { ExecutionStatus, hasEnded } from '../../parts/execution/status.tsx';
import { useFollow } from '../../parts/execution/use-follow.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Page } from '../../parts/page.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { PagePending } from '../../parts/page-pending.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { AgentExecutionActions } from './agent-execution-actions.tsx';
import { FilesTab } from './files-tab.tsx';
import { type AgentExecution, agentExecutionKey, agentExecutionQuery } from './queries.ts';
import { ResultTab } from './result-tab.tsx';
import { ReviewTab } from './review-tab.tsx';
import { agentExecutionRoute, type RunTabName } from './routes.ts';
import { TraceTab } from './trace-tab.tsx';
import { usedText } from './used-text.ts';

export function AgentExecutionPage() {
  const { executionId } = agentExecutionRoute.useParams();
  const { data, error, refetch } = useQuery(agentExecutionQuery(executionId));
  if (data === undefined)
    return (
      <Page title={executionId}>
        {error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <PagePending />}
      </Page>
    );
  return <Shown key={executionId} execution={data} />;
}

function Shown({ execution }: { readonly execution: AgentExecution }) {
  const { id: slug } = agentExecutionRoute.useParams();
  const { tab = 'result' } = agentExecutionRoute.useSearch();
  const navigate = useNavigate({ from: agentExecutionRoute.fullPath });
  const queries = useQueryClient();
  const { id, createdAt, startedAt, completedAt, cost, model, schemaValid, evaluation, error } = execution;
  const followed = useFollow(id);
  const known = hasEnded(execution.status);
  const status = known ? execution.status : (followed.status ?? execution.status);
  useEffect(() => {
    if (followed.ended && !known) void queries.invalidateQueries({ queryKey: agentExecutionKey(id) });
  }, [followed.ended, known, id, queries]);
  const took = startedAt === null || completedAt === null ? undefined : Date.parse(completedAt) - Date.parse(startedAt);

  return (
    <Page title={`${slug}: run`} actions={<AgentExecutionActions slug={slug} execution={{ ...execution, status }} />}>
      <Group gap="xs" mb="sm" role="status">
        <ExecutionStatus status={status} />
        {schemaValid !== null && (
          <StatusBadge
            text={schemaValid ? 'output fits its schema' : 'output does not fit its schema'}
            tone={schemaValid ? 'good' : 'bad'}
          />
        )}
        {evaluation !== null && (
          <StatusBadge
            text={evaluation.passed ? 'as expected' : 'not as expected'}
            tone={evaluation.passed ? 'good' : 'bad'}
          />
        )}
        <Text size="sm" c="dimmed">
          begun <TimeText at={createdAt} ago />
          {took !== undefined && `, took ${durationText(took)}`}
          {model !== null && `, by ${model}`}
          {usedText(cost).map((text) => `, ${text}`)}
        </Text>
        <PageLink to="/agents/$id" params={{ id: slug }} size="sm">
          Agent {slug}
        </PageLink>
        <Text size="xs" c="dimmed" className="tl-mono">
          {id}
        </Text>
      </Group>
      {error !== null && (
        <Alert variant="outline" color="red" mb="sm" title="It failed">
          {error}
        </Alert>
      )}
      <PageTabs<RunTabName>
        label="Parts of the run"
        value={tab}
        onChange={(to) => void navigate({ search: to === 'result' ? {} : { tab: to }, replace: true })}
        tabs={[
          { id: 'result', label: 'Output', content: () => <ResultTab execution={execution} followed={followed} /> },
          {
            id: 'review',
            label: 'Feedback',
            // A change by somebody else begins the form anew.
            content: () => <ReviewTab key={execution.feedback?.updatedAt ?? ''} execution={execution} />,
          },
          { id: 'files', label: 'Files', content: () => <FilesTab execution={execution} /> },
          { id: 'trace', label: 'Trace', content: () => <TraceTab execution={execution} /> },
        ]}
      />
    </Page>
  );
}
