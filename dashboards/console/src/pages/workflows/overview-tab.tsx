import { Grid, Loader, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { isRecord } from '../../parts/run-form/json.ts';
import { Section } from '../../parts/section.tsx';
import { TaskList } from './graph/task-list.tsx';
import { taskTree } from './graph/task-tree.ts';
import { tasksQuery, type Workflow, type WorkflowTask } from './queries.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.overview;
/** The layout code is loaded with the first chart. */
const GraphView = lazy(async () => ({ default: (await import('./graph/graph-view.tsx')).GraphView }));
/**
 * Maximum number of tasks in a chart. Larger workflows are shown only as a list, because the chart would be unreadable
 * and slow.
 */
const MAX_DRAWN = 150;

export function OverviewTab({ workflow: { id, version, definition } }: { readonly workflow: Workflow }) {
  const tasks = useQuery(tasksQuery(id, version));
  const document = isRecord(definition.document) ? definition.document : {};
  return (
    <>
      {typeof document.title === 'string' && <Text fw={600}>{document.title}</Text>}
      {typeof document.summary === 'string' && (
        <Text mb="md" maw="60rem">
          {document.summary}
        </Text>
      )}
      {tasks.isPending && <Loader size="sm" aria-label={TEXT.loading} />}
      {tasks.isError && <FailureNotice error={tasks.error} onRetry={() => void tasks.refetch()} />}
      {tasks.isSuccess && <Tasks tasks={tasks.data} />}
    </>
  );
}

function Tasks({ tasks }: { readonly tasks: readonly WorkflowTask[] }) {
  const tree = useMemo(() => taskTree(tasks), [tasks]);
  const count = tasks.length;
  return (
    <Grid gap="sm">
      <Grid.Col span={{ base: 12, md: 6 }} order={{ base: 2, md: 1 }}>
        <Paper withBorder p="sm">
          {count > MAX_DRAWN ? (
            <Text c="dimmed">{TEXT.tooLarge(count)}</Text>
          ) : (
            <Suspense fallback={<Loader aria-label={TEXT.drawing} />}>
              <GraphView tasks={tree} label={TEXT.chart(count)} />
            </Suspense>
          )}
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }} order={{ base: 1, md: 2 }}>
        <Section title={TEXT.tasks}>
          <TaskList tasks={tree} />
        </Section>
      </Grid.Col>
    </Grid>
  );
}
