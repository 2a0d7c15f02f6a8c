import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { Section } from '../../parts/section.tsx';
import { showFailure } from '../../parts/show-failure.tsx';
import { visible } from '../../parts/visible.ts';
import { PersonInput } from '../hand-off/person-input.tsx';
import type { CaseTask, WholeCase } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.tasks;

/** The tasks of a case, as a checklist. */
export function TasksSection({ of: { id, taskList } }: { readonly of: WholeCase }) {
  const queries = useQueryClient();
  const [title, setTitle] = useState('');
  const { mutate, isPending } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['cases'] }),
    onError: showFailure,
  });

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
            busy={isPending}
            onChange={(body) =>
              mutate(() => call('patch', '/api/cases/{id}/tasks/{taskId}', { path: { id, taskId: task.id }, body }))
            }
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
  busy,
  onChange,
  onDelete,
}: {
  readonly task: CaseTask;
  readonly busy: boolean;
  readonly onChange: (change: { readonly done?: boolean; readonly assignee?: string | null }) => void;
  readonly onDelete: () => void;
}) {
  const [assigning, setAssigning] = useState(false);
  const name = visible(title);

  function assign(given: string) {
    setAssigning(false);
    const wanted = given.trim() || null;
    if (wanted !== assignee) onChange({ assignee: wanted });
  }

  return (
    <div>
      <Checkbox
        label={name}
        checked={done}
        disabled={busy}
        onChange={({ currentTarget }) => onChange({ done: currentTarget.checked })}
        {...(done ? { td: 'line-through' } : {})}
      />
      <Group gap={4} pl={28}>
        {assigning ? (
          <PersonInput
            size="xs"
            aria-label={TEXT.assignNamed(name)}
            defaultValue={assignee ?? ''}
            autoFocus
            onTake={assign}
            onBlur={({ currentTarget }) => assign(currentTarget.value)}
          />
        ) : (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={TEXT.assignNamed(name)}
            onClick={() => setAssigning(true)}
          >
            {assignee ?? TEXT.assign}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" aria-label={TEXT.deleteNamed(name)} onClick={onDelete}>
          {TEXT.delete}
        </Button>
      </Group>
    </div>
  );
}
