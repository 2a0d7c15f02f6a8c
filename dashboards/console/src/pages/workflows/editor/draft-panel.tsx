import { Anchor, List, Loader, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { taskTree } from '../graph/task-tree.ts';
import { WORKFLOWS_TEXT } from '../text.ts';
import { addTask, lineOf, moveTask } from './edit-yaml.ts';
import { type CheckedDraft, checkQuery, type DraftTask } from './queries.ts';
import { TaskOutline } from './task-outline.tsx';
import { TASK_TEMPLATES } from './task-templates.ts';

const TEXT = WORKFLOWS_TEXT.draft;
/** Delay of the check after the last change of the text. */
const CHECK_AFTER_MS = 600;
const GraphView = lazy(async () => ({ default: (await import('../graph/graph-view.tsx')).GraphView }));

/** Panel next to a draft: its problems, its tasks, which can be added and moved, and its chart. */
export function DraftPanel({
  text,
  onChange,
  onGoTo,
  onChecked,
}: {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onGoTo: (line: number) => void;
  /** Lines with problems. */
  readonly onChecked: (lines: ReadonlySet<number>) => void;
}) {
  const [settled] = useDebouncedValue(text, CHECK_AFTER_MS);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...checkQuery(settled),
    enabled: settled.trim() !== '',
  });
  const valid = useLastValid(data);
  const [said, setSaid] = useState('');
  const panel = useRef<HTMLDivElement>(null);
  const isCurrent = data?.valid === true && settled === text && !isPlaceholderData;

  useEffect(() => {
    if (data !== undefined) onChecked(new Set(data.issues.flatMap(({ line }) => (line === undefined ? [] : [line]))));
  }, [data, onChecked]);

  /** Moves a task. The task keeps the focus when its row is rendered at the new place. */
  function move(task: DraftTask, to: number) {
    const changed = moveTask(text, task.place, to);
    if (changed === undefined) return;
    onChange(changed);
    setSaid(TEXT.moved(task.name, to + 1));
    const path = [...task.path.split('/').slice(0, -2), to, task.path.split('/').at(-1)].join('/');
    focusWhenDrawn(panel.current, path);
  }

  function add(kind: string, after: DraftTask | undefined) {
    const template = TASK_TEMPLATES.find((one) => one.kind === kind);
    const list = after === undefined ? ['do'] : after.place.slice(0, -2);
    const index =
      after === undefined
        ? (valid?.tasks ?? []).filter(({ parent }) => parent === null).length
        : Number(after.place.at(-2)) + 1;
    const changed = template === undefined ? undefined : addTask(text, list, index, template);
    if (changed === undefined) return;
    onChange(changed);
    setSaid(after === undefined ? TEXT.addedFirst : TEXT.added(after.name));
  }

  const tasks = valid?.tasks ?? [];
  return (
    <Stack gap="sm" ref={panel}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Problems issues={data.issues} onGoTo={onGoTo} />}
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {valid !== undefined && (
        <>
          <TaskOutline
            tasks={tasks}
            disabled={!isCurrent}
            move={move}
            add={add}
            goTo={({ place }) => {
              const line = lineOf(text, place);
              if (line !== undefined) onGoTo(line);
            }}
          />
          {data?.valid === false && <Text size="sm">{TEXT.outdated}</Text>}
          <Suspense fallback={<Loader aria-label={WORKFLOWS_TEXT.overview.drawing} />}>
            <GraphView tasks={taskTree(tasks)} label={TEXT.chart(tasks.length)} />
          </Suspense>
        </>
      )}
    </Stack>
  );
}

function Problems({
  issues,
  onGoTo,
}: {
  readonly issues: CheckedDraft['issues'];
  readonly onGoTo: (line: number) => void;
}) {
  if (issues.length === 0) return <Text size="sm">{TEXT.noProblems}</Text>;
  return (
    <div>
      <Text size="sm" fw={600}>
        {TEXT.problems(issues.length)}
      </Text>
      <List size="sm">
        {issues.map(({ line, field, message }) => (
          <List.Item key={`${field} ${message}`}>
            {line !== undefined && (
              <Anchor component="button" type="button" size="sm" underline="always" onClick={() => onGoTo(line)}>
                {WORKFLOWS_TEXT.editor.line(line)}
              </Anchor>
            )}{' '}
            {message}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** Returns the last result without problems, so that the tasks stay visible while the text is incomplete. */
function useLastValid(data: CheckedDraft | undefined): CheckedDraft | undefined {
  const [last, setLast] = useState<CheckedDraft>();
  if (data?.valid === true && data !== last) setLast(data);
  return data?.valid === true ? data : last;
}

/** Focuses the row of a task once it is rendered. Stops if the focus moves elsewhere. */
function focusWhenDrawn(panel: HTMLElement | null, path: string): void {
  if (panel === null) return;
  const observer = new MutationObserver(() => {
    const row = panel.querySelector<HTMLElement>(`[data-task="${CSS.escape(path)}"]`);
    if (row === null) return;
    observer.disconnect();
    row.focus();
  });
  observer.observe(panel, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-task'] });
  setTimeout(() => observer.disconnect(), 10_000);
}
