import { Code, List, Text } from '@mantine/core';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import type { Task } from './task-tree.ts';

const ROLES: Readonly<Record<string, string>> = {
  catch: 'on error',
  foreach: 'for each event',
  branch: 'at the same time',
};

/** The tasks as a list: the same content as the chart. */
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
              if <Code>{task.condition}</Code>
            </Text>
          )}
          {task.cases.map(({ name, when, next }) => (
            <Text size="sm" key={name}>
              {name}: {when === null ? 'in all other cases' : <Code>{when}</Code>} → {next ?? 'the next one'}
            </Text>
          ))}
          {task.next !== null && <Text size="sm">then: {task.next === 'end' ? 'the end' : task.next}</Text>}
          {task.lists.map(({ role, tasks: inner }) => (
            <div key={`${role} ${inner[0]?.path}`}>
              {ROLES[role] !== undefined && <Text size="sm">{ROLES[role]}:</Text>}
              <TaskList tasks={inner} />
            </div>
          ))}
        </List.Item>
      ))}
    </List>
  );
}
