import { Code, List, Text } from '@mantine/core';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { WORKFLOWS_TEXT } from '../text.ts';
import type { Task } from './task-tree.ts';

const TEXT = WORKFLOWS_TEXT.tasks;

/** The tasks as a list, with the same content as the chart. */
export function TaskList({ tasks }: { readonly tasks: readonly Task[] }) {
  return (
    <List type="ordered" size="sm" spacing={4} withPadding>
      {tasks.map((task) => (
        <List.Item key={task.path}>
          <b>{task.name}</b> <StatusBadge text={task.kind} />{' '}
          {task.detail !== null && (
            <Text span c="dimmed" size="sm">
              {task.detail}
            </Text>
          )}
          {task.condition !== null && (
            <Text size="sm">
              {TEXT.condition}
              <Code>{task.condition}</Code>
            </Text>
          )}
          {task.cases.map(({ name, when, next }) => (
            <Text size="sm" key={name}>
              {TEXT.caseName(name)}
              {when === null ? TEXT.otherwise : <Code>{when}</Code>}
              {TEXT.nextTask(next)}
            </Text>
          ))}
          {task.next !== null && <Text size="sm">{TEXT.next(task.next)}</Text>}
          {task.lists.map(({ role, tasks: inner }) => (
            <div key={`${role} ${inner[0]?.path}`}>
              {TEXT.roles[role] !== undefined && <Text size="sm">{TEXT.role(TEXT.roles[role])}</Text>}
              <TaskList tasks={inner} />
            </div>
          ))}
        </List.Item>
      ))}
    </List>
  );
}
