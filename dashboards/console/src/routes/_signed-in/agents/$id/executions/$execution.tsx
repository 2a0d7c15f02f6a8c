import { Alert, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { AgentExecutionActions } from '../../../../../pages/agents/agent-execution-actions.tsx';
import { FilesTab } from '../../../../../pages/agents/files-tab.tsx';
import { type AgentExecution, agentExecutionKey, agentExecutionQuery } from '../../../../../pages/agents/queries.ts';
import { ResultTab } from '../../../../../pages/agents/result-tab.tsx';
import { ReviewTab } from '../../../../../pages/agents/review-tab.tsx';
import { AGENT_RUNS_TEXT } from '../../../../../pages/agents/runs-text.ts';
import { RUN_TABS, type RunTabName } from '../../../../../pages/agents/search.ts';
import { TraceTab } from '../../../../../pages/agents/trace-tab.tsx';
import { usedText } from '../../../../../pages/agents/used-text.ts';
import { WaitingAlert } from '../../../../../pages/executions/waiting-alert.tsx';
import { durationText } from '../../../../../parts/execution/duration.ts';
import { StartedBy } from '../../../../../parts/execution/started-by.tsx';
import { ExecutionStatus, hasEnded } from '../../../../../parts/execution/status.tsx';
import { useFollow } from '../../../../../parts/execution/use-follow.ts';
import { FailureNotice } from '../../../../../parts/failure-notice.tsx';
import { Page } from '../../../../../parts/page.tsx';
import { PageLink } from '../../../../../parts/page-link.tsx';
import { PagePending } from '../../../../../parts/page-pending.tsx';
import { PageTabs } from '../../../../../parts/page-tabs.tsx';
import { choiceParam, onlyRead } from '../../../../../parts/search-params.ts';
import { StatusBadge } from '../../../../../parts/status-badge.tsx';
import { TimeText } from '../../../../../parts/time/time-text.tsx';

export const Route = createFileRoute('/_signed-in/agents/$id/executions/$execution')({
  validateSearch: onlyRead((given: Record<string, unknown>): { readonly tab?: RunTabName } => {
    const tab = choiceParam(given.tab, RUN_TABS);
    return tab === undefined ? {} : { tab };
  }),
  component: AgentExecutionPage,
});

const TEXT = AGENT_RUNS_TEXT.run;

function AgentExecutionPage() {
  const { execution: executionId } = Route.useParams();
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
  const { id: slug } = Route.useParams();
  const { tab = 'result' } = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
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
    <Page title={TEXT.title(slug)} actions={<AgentExecutionActions slug={slug} execution={{ ...execution, status }} />}>
      <Group gap="xs" mb="sm" role="status">
        <ExecutionStatus status={status} />
        {schemaValid !== null && (
          <StatusBadge text={schemaValid ? TEXT.schemaValid : TEXT.schemaInvalid} tone={schemaValid ? 'good' : 'bad'} />
        )}
        {evaluation !== null && evaluation.passed !== null && (
          <StatusBadge text={evaluation.passed ? TEXT.passed : TEXT.failed} tone={evaluation.passed ? 'good' : 'bad'} />
        )}
        <Text size="sm" c="dimmed">
          {TEXT.started}
          <TimeText at={createdAt} ago />
          <StartedBy execution={execution} />
          {took !== undefined && TEXT.duration(durationText(took))}
          {model !== null && TEXT.model(model)}
          {usedText(cost).map((text) => TEXT.used(text))}
          {known && model !== null && cost !== null && cost.credits === undefined && TEXT.costUnknown}
        </Text>
        <PageLink to="/agents/$id" params={{ id: slug }} size="sm">
          {TEXT.agent(slug)}
        </PageLink>
        <Text size="xs" c="dimmed" className="tl-mono">
          {id}
        </Text>
      </Group>
      {status === 'waiting' && <WaitingAlert executionId={id} />}
      {error !== null && (
        <Alert variant="outline" color="red" mb="sm" title={TEXT.error}>
          {error}
        </Alert>
      )}
      <PageTabs<RunTabName>
        label={TEXT.tabs}
        value={tab}
        onChange={(to) => void navigate({ search: to === 'result' ? {} : { tab: to }, replace: true })}
        tabs={[
          {
            id: 'result',
            label: TEXT.tabNames.result,
            content: () => <ResultTab execution={execution} followed={followed} />,
          },
          {
            id: 'review',
            label: TEXT.tabNames.review,
            // A change by another user resets the form.
            content: () => <ReviewTab key={execution.feedback?.updatedAt ?? ''} execution={execution} />,
          },
          { id: 'files', label: TEXT.tabNames.files, content: () => <FilesTab execution={execution} /> },
          { id: 'trace', label: TEXT.tabNames.trace, content: () => <TraceTab execution={execution} /> },
        ]}
      />
    </Page>
  );
}
