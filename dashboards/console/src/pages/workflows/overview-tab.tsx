import { Grid, Loader, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { isRecord } from '../../parts/run-form/json.ts';
import { TaskList } from './graph/task-list.tsx';
import { taskTree } from './graph/task-tree.ts';
import { tasksQuery, type Workflow, type WorkflowTask } from './queries.ts';

/** The layout is loaded when a chart is drawn first. */
const GraphView = lazy(async () => ({ default: (await import('./graph/graph-view.tsx')).GraphView }));
/** Larger workflows are shown as a list only: the chart would be unreadable and slow to lay out. */
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
      {tasks.isPending && <Loader size="sm" aria-label="Loading the tasks" />}
      {tasks.isError && <FailureNotice error={tasks.error} onRetry={() => void tasks.refetch()} />}
      {tasks.isSuccess && <Tasks tasks={tasks.data} />}
    </>
  );
}

function Tasks({ tasks }: { readonly tasks: readonly WorkflowTask[] }) {
  const tree = useMemo(() => taskTree(tasks), [tasks]);
  const count = tasks.length;
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 6 }} order={{ base: 2, md: 1 }}>
        {count > MAX_DRAWN ? (
          <Text c="dimmed">The workflow has {count} tasks, too many for a chart.</Text>
        ) : (
          <Suspense fallback={<Loader aria-label="Drawing the chart" />}>
            <GraphView tasks={tree} label={`Chart of ${count} tasks; the list of tasks has the same content`} />
          </Suspense>
        )}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }} order={{ base: 1, md: 2 }}>
        <Title order={2} size="h5" mb="xs">
          Tasks
        </Title>
        <TaskList tasks={tree} />
      </Grid.Col>
    </Grid>
  );
}
