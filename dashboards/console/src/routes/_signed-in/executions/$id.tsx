import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ExecutionActions } from '../../../pages/executions/execution-actions.tsx';
import { InputFiles } from '../../../pages/executions/input-files.tsx';
import { type Execution, executionQuery } from '../../../pages/executions/queries.ts';
import { QueuedAlert } from '../../../pages/executions/queued-alert.tsx';
import { SuspensionAlert } from '../../../pages/executions/suspension-alert.tsx';
import { EXECUTIONS_TEXT } from '../../../pages/executions/text.ts';
import { useNow } from '../../../pages/executions/use-now.ts';
import { useRerun } from '../../../pages/executions/use-rerun.ts';
import { useSuspension } from '../../../pages/executions/use-suspension.ts';
import { WaitingAlert } from '../../../pages/executions/waiting-alert.tsx';
import { durationText } from '../../../parts/execution/duration.ts';
import { keyOf } from '../../../parts/execution/follow.ts';
import { LiveLog } from '../../../parts/execution/live-log.tsx';
import { StartedBy } from '../../../parts/execution/started-by.tsx';
import { ExecutionStatus, hasEnded } from '../../../parts/execution/status.tsx';
import { StepTimeline } from '../../../parts/execution/step-timeline.tsx';
import { timelineOf } from '../../../parts/execution/timeline.ts';
import { useFollow } from '../../../parts/execution/use-follow.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { JsonText } from '../../../parts/json-text.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { PagePending } from '../../../parts/page-pending.tsx';
import { Section } from '../../../parts/section.tsx';
import { TimeText } from '../../../parts/time/time-text.tsx';

const TEXT = EXECUTIONS_TEXT.execution;

export const Route = createFileRoute('/_signed-in/executions/$id')({
  component: ExecutionPage,
});

function ExecutionPage() {
  const { id } = Route.useParams();
  const { data, error, refetch } = useQuery(executionQuery(id));
  if (data === undefined)
    return (
      <Page title={id}>{error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <PagePending />}</Page>
    );
  // The key resets the state for another execution.
  return <Shown key={id} execution={data} />;
}

function Shown({ execution }: { readonly execution: Execution }) {
  const { id, workflow, createdAt, startedAt } = execution;
  const queries = useQueryClient();
  const followed = useFollow(id);
  const rerun = useRerun(id);
  const status = hasEnded(execution.status) ? execution.status : (followed.status ?? execution.status);
  const ended = hasEnded(status);
  const { suspension } = useSuspension(id, status);
  const now = useNow(!ended);
  // Reloads the execution when it finishes. Only then does it contain its output and the input of its steps.
  const known = execution.status;
  useEffect(() => {
    if (followed.ended && !hasEnded(known)) void queries.invalidateQueries({ queryKey: executionQuery(id).queryKey });
  }, [followed.ended, known, id, queries]);

  const steps = new Map(followed.steps);
  for (const [index, step] of (execution.steps ?? []).entries()) {
    const key = keyOf(step);
    // Until the event stream has sent the step, it is shown at the top level, in the order of the response.
    const followedStep = steps.get(key) ?? { ...step, sequence: index, parent: null };
    steps.set(key, hasEnded(execution.status) ? { ...followedStep, ...step } : { ...step, ...followedStep });
  }
  const rows = timelineOf([...steps.values()], { startedAt, endedAt: execution.completedAt, now });
  const took =
    execution.durationMs ?? (startedAt === undefined || ended ? undefined : Math.max(0, now - Date.parse(startedAt)));
  const name = workflow?.name ?? TEXT.removedWorkflow;

  return (
    <Page title={TEXT.title(name)} actions={<ExecutionActions id={id} status={status} />}>
      <Group gap="xs" mb="sm" role="status">
        <ExecutionStatus status={status} />
        <Text size="sm" c="dimmed">
          {TEXT.started}
          <TimeText at={createdAt} ago />
          <StartedBy execution={execution} />
          {took !== undefined && TEXT.duration(durationText(took), ended)}
        </Text>
        {workflow !== null && (
          <PageLink to="/workflows/$id" params={{ id: workflow.name }} size="sm">
            {TEXT.workflow(workflow.name)}
          </PageLink>
        )}
        <Text size="xs" c="dimmed" className="tl-mono">
          {id}
        </Text>
      </Group>
      {status === 'created' && <QueuedAlert executionId={id} workflow={workflow?.name} />}
      {suspension !== null && <SuspensionAlert suspension={suspension} />}
      {status === 'waiting' && suspension === null && <WaitingAlert executionId={id} />}
      {execution.error !== undefined && (
        <Alert variant="outline" color="red" mb="sm" title={TEXT.failed}>
          {execution.error}
        </Alert>
      )}
      <Section title={TEXT.steps}>
        <StepTimeline
          rows={rows}
          actions={(row) => (
            <Button
              mt="xs"
              size="compact"
              variant="default"
              onClick={() => void rerun.run(row.step)}
              loading={rerun.busy}
            >
              {TEXT.rerunFrom}
            </Button>
          )}
        />
      </Section>
      <Section title={TEXT.log}>
        <LiveLog {...followed} />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        <Section title={TEXT.input}>
          <InputFiles executionId={id} input={execution.triggerInput} />
          <JsonText value={execution.triggerInput ?? {}} label={TEXT.inputLabel} role="group" />
        </Section>
        <Section title={TEXT.output}>
          {execution.result === undefined ? (
            <Text c="dimmed">{ended ? TEXT.noOutput : TEXT.noOutputYet}</Text>
          ) : (
            <JsonText value={asText(execution.result)} label={TEXT.outputLabel} role="group" />
          )}
        </Section>
      </SimpleGrid>
    </Page>
  );
}

/** Returns a value as JSON, with quotes around a string. */
function asText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
