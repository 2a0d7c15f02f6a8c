import { Button, Group, List, NativeSelect, Text, Title, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { WORKFLOWS_TEXT } from '../text.ts';
import type { DraftTask } from './queries.ts';
import { TASK_TEMPLATES } from './task-templates.ts';

const TEXT = WORKFLOWS_TEXT.draft;

export interface OutlineActions {
  readonly goTo: (task: DraftTask) => void;
  /** Moves a task to another index of its list. */
  readonly move: (task: DraftTask, to: number) => void;
  /** Adds a task after another one. Undefined: at the end of the workflow. */
  readonly add: (kind: string, after: DraftTask | undefined) => void;
}

/** The tasks of a draft as a list. Tasks can be added and moved with buttons, with keys, and by dragging. */
export function TaskOutline({
  tasks,
  disabled,
  ...actions
}: OutlineActions & { readonly tasks: readonly DraftTask[]; readonly disabled: boolean }) {
  const [kind, setKind] = useState(TASK_TEMPLATES[0]?.kind ?? '');
  const [selected, setSelected] = useState<string>();
  const after = tasks.find(({ path }) => path === selected);
  return (
    <>
      <Title order={2} size="h5" mb={4}>
        {TEXT.tasks}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {TEXT.tasksHint}
      </Text>
      <Group align="flex-end" gap="xs" mb="xs">
        <NativeSelect
          label={TEXT.kind}
          data={TASK_TEMPLATES.map((template) => template.kind)}
          value={kind}
          onChange={({ currentTarget: { value } }) => setKind(value)}
        />
        <Button variant="default" disabled={disabled} onClick={() => actions.add(kind, after)}>
          {TEXT.add}
        </Button>
      </Group>
      <Tasks tasks={tasks} parent={null} disabled={disabled} selected={selected} onSelect={setSelected} {...actions} />
    </>
  );
}

function Tasks({
  tasks,
  parent,
  disabled,
  selected,
  onSelect,
  ...actions
}: OutlineActions & {
  readonly tasks: readonly DraftTask[];
  readonly parent: string | null;
  readonly disabled: boolean;
  readonly selected: string | undefined;
  readonly onSelect: (path: string) => void;
}) {
  const inner = tasks.filter((task) => task.parent === parent);
  if (inner.length === 0) return null;
  return (
    <List type="ordered" size="sm" pl={parent === null ? 0 : 'lg'} listStyleType="none">
      {inner.map((task) => {
        const alike = inner.filter((other) => listOf(other) === listOf(task)).length;
        return (
          <List.Item key={task.path} styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
            <Row
              task={task}
              count={alike}
              disabled={disabled}
              isSelected={task.path === selected}
              onSelect={() => onSelect(task.path)}
              {...actions}
            />
            <Tasks
              tasks={tasks}
              parent={task.path}
              disabled={disabled}
              selected={selected}
              onSelect={onSelect}
              {...actions}
            />
          </List.Item>
        );
      })}
    </List>
  );
}

/** The task that is being dragged. Only rows of its list accept it. */
let dragged: DraftTask | undefined;

function Row({
  task,
  count,
  disabled,
  isSelected,
  onSelect,
  goTo,
  move,
}: Pick<OutlineActions, 'goTo' | 'move'> & {
  readonly task: DraftTask;
  /** Number of tasks in its list. */
  readonly count: number;
  readonly disabled: boolean;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}) {
  const { name, kind } = task;
  const index = indexOf(task);
  function onKeyDown(event: KeyboardEvent) {
    if (!event.altKey || disabled) return;
    const to = event.key === 'ArrowUp' ? index - 1 : event.key === 'ArrowDown' ? index + 1 : undefined;
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to < count) move(task, to);
  }
  return (
    <Group
      gap={4}
      wrap="nowrap"
      justify="space-between"
      draggable={!disabled}
      onDragStart={() => {
        dragged = task;
      }}
      onDragOver={(event) => {
        if (dragged !== undefined && listOf(dragged) === listOf(task)) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        if (dragged !== undefined && indexOf(dragged) !== index) move(dragged, index);
        dragged = undefined;
      }}
    >
      <UnstyledButton
        data-task={task.path}
        aria-current={isSelected || undefined}
        className="tl-outline-task"
        fz="sm"
        onKeyDown={onKeyDown}
        onClick={() => {
          onSelect();
          goTo(task);
        }}
      >
        <b>{name}</b> <StatusBadge text={kind} />
      </UnstyledButton>
      <Group gap={2} wrap="nowrap">
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={TEXT.up(name)}
          disabled={disabled || index === 0}
          onClick={() => move(task, index - 1)}
        >
          {TEXT.upSign}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={TEXT.down(name)}
          disabled={disabled || index + 1 >= count}
          onClick={() => move(task, index + 1)}
        >
          {TEXT.downSign}
        </Button>
      </Group>
    </Group>
  );
}

function listOf({ place }: DraftTask): string {
  return place.slice(0, -2).join('/');
}

function indexOf({ place }: DraftTask): number {
  return Number(place.at(-2));
}
