import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { Section } from '../../parts/section.tsx';
import { showFailure } from '../../parts/show-failure.tsx';
import { visible } from '../../parts/visible.ts';
import { PersonInput } from '../hand-off/person-input.tsx';
import { type CaseTask, caseQuery, type WholeCase } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.tasks;

type TaskChange = { readonly done?: boolean; readonly assignee?: string | null };

/** The tasks of a case, as a checklist. */
export function TasksSection({ of: { id, taskList } }: { readonly of: WholeCase }) {
  const queries = useQueryClient();
  const [title, setTitle] = useState('');
  const { mutate, isPending } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: showFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: ['cases'] }),
  });

  /** Shows the change immediately. The response, or a failure, replaces it with the stored state. */
  function change(taskId: string, body: TaskChange) {
    queries.setQueryData(
      caseQuery(id).queryKey,
      (cached) =>
        cached && {
          ...cached,
          taskList: cached.taskList.map((task) => (task.id === taskId ? { ...task, ...body } : task)),
        },
    );
    mutate(() => call('patch', '/api/cases/{id}/tasks/{taskId}', { path: { id, taskId }, body }));
  }

  function add(event: FormEvent) {
    event.preventDefault();
    if (title.trim() === '') return;
    mutate(() => call('post', '/api/cases/{id}/tasks', { path: { id }, body: { title: title.trim() } }), {
      onSuccess: () => setTitle(''),
    });
  }

  return (
    <Section title={TEXT.title}>
      <Stack gap="xs">
        {taskList.length === 0 && (
          <Text size="sm" c="dimmed">
            {TEXT.empty}
          </Text>
        )}
        {taskList.map((task) => (
          <Task
            key={task.id}
            task={task}
            onChange={(body) => change(task.id, body)}
            onDelete={() =>
              mutate(() => call('delete', '/api/cases/{id}/tasks/{taskId}', { path: { id, taskId: task.id } }))
            }
          />
        ))}
        <form onSubmit={add}>
          <Group gap="xs" wrap="nowrap">
            <TextInput
              aria-label={TEXT.label}
              placeholder={TEXT.placeholder}
              value={title}
              maxLength={500}
              flex={1}
              autoComplete="off"
              onChange={({ currentTarget }) => setTitle(currentTarget.value)}
            />
            <Button type="submit" variant="default" disabled={title.trim() === ''} loading={isPending}>
              {TEXT.add}
            </Button>
          </Group>
        </form>
      </Stack>
    </Section>
  );
}

function Task({
  task: { title, assignee, done },
  onChange,
  onDelete,
}: {
  readonly task: CaseTask;
  readonly onChange: (change: TaskChange) => void;
  readonly onDelete: () => void;
}) {
  const [assigning, setAssigning] = useState(false);
  const [checked, setChecked] = useState(done);
  useEffect(() => setChecked(done), [done]);
  const name = visible(title);

  function assign(given: string) {
    setAssigning(false);
    const wanted = given.trim() || null;
    if (wanted !== assignee) onChange({ assignee: wanted });
  }

  return (
    <Group gap={4} justify="space-between" wrap="nowrap" align="flex-start">
      <Checkbox
        label={name}
        checked={checked}
        onChange={({ currentTarget }) => {
          setChecked(currentTarget.checked);
          onChange({ done: currentTarget.checked });
        }}
        flex={1}
        {...(done ? { td: 'line-through' } : {})}
      />
      {assigning ? (
        <PersonInput
          size="xs"
          w="9rem"
          aria-label={TEXT.assignee(name)}
          defaultValue={assignee ?? ''}
          autoFocus
          onTake={assign}
          onBlur={({ currentTarget }) => assign(currentTarget.value)}
        />
      ) : (
        <Button
          size="compact-xs"
          variant="subtle"
          fw={400}
          maw="9rem"
          aria-label={assignee === null ? TEXT.assignNamed(name) : TEXT.assignedNamed(assignee, name)}
          onClick={() => setAssigning(true)}
        >
          {assignee ?? TEXT.assign}
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" fw={400} aria-label={TEXT.deleteNamed(name)} onClick={onDelete}>
        {TEXT.delete}
      </Button>
    </Group>
  );
}
