import { Grid, Loader, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { isRecord } from '../../parts/run-form/json.ts';
import { TaskList } from './graph/task-list.tsx';
import { countTasks, taskTree } from './graph/task-tree.ts';
import type { Workflow } from './queries.ts';

/** The layout is loaded when a chart is drawn first. */
const GraphView = lazy(async () => ({ default: (await import('./graph/graph-view.tsx')).GraphView }));
/** More are told by the list alone: nobody reads such a chart, and laying it out keeps the page waiting. */
const MAX_DRAWN = 150;

export function OverviewTab({ workflow: { definition } }: { readonly workflow: Workflow }) {
  const tasks = useMemo(() => taskTree(definition), [definition]);
  const document = isRecord(definition.document) ? definition.document : {};
  const count = countTasks(tasks);
  return (
    <>
      {typeof document.title === 'string' && <Text fw={600}>{document.title}</Text>}
      {typeof document.summary === 'string' && (
        <Text mb="md" maw="60rem">
          {document.summary}
        </Text>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }} order={{ base: 2, md: 1 }}>
          {count > MAX_DRAWN ? (
            <Text c="dimmed">{count} tasks are too many for a chart.</Text>
          ) : (
            <Suspense fallback={<Loader aria-label="Drawing the chart" />}>
              <GraphView tasks={tasks} label={`Chart of ${count} tasks; the list of tasks says the same`} />
            </Suspense>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }} order={{ base: 1, md: 2 }}>
          <Title order={2} size="h5" mb="xs">
            Tasks
          </Title>
          <TaskList tasks={tasks} />
        </Grid.Col>
      </Grid>
    </>
  );
}
