import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { DETECTION_STATUSES, VERDICTS } from '#schemas/detection-terms.ts';
import { Section } from '../../parts/section.tsx';
import type { DecisionChange } from './decide.ts';
import { VERDICT_WORDS } from './decision-words.ts';
import type { Detection } from './detection-types.ts';

type Decision = Pick<Detection, 'status' | 'verdict' | 'assignee' | 'note'>;

/** All that is decided about a detection, to be changed together. What the form does not change is not sent. */
export function DecisionSection({
  decision,
  busy,
  onChange,
}: {
  readonly decision: Decision;
  readonly busy: boolean;
  readonly onChange: (change: DecisionChange) => void;
}) {
  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim() || null;
    const wanted: Decision = {
      status: DETECTION_STATUSES.find((one) => one === form.get('status')) ?? decision.status,
      verdict: VERDICTS.find((one) => one === form.get('verdict')) ?? null,
      assignee: text('assignee'),
      note: text('note'),
    };
    const names = ['status', 'verdict', 'assignee', 'note'] as const;
    const changed = names.filter((name) => wanted[name] !== decision[name]);
    if (changed.length > 0) onChange(Object.fromEntries(changed.map((name) => [name, wanted[name]])));
  }

  return (
    <Section title="Decision">
      {/* Begun anew when somebody decided: the fields then hold what is. */}
      <form onSubmit={save} key={JSON.stringify([decision.status, decision.verdict, decision.assignee, decision.note])}>
        <Stack gap="xs">
          <NativeSelect name="status" label="Status" defaultValue={decision.status} data={[...DETECTION_STATUSES]} />
          <NativeSelect
            name="verdict"
            label="Verdict"
            defaultValue={decision.verdict ?? ''}
            data={[
              { value: '', label: 'Not decided' },
              ...VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value] })),
            ]}
          />
          <TextInput
            name="assignee"
            label="Assignee"
            description="Name of an analyst; empty: nobody"
            defaultValue={decision.assignee ?? ''}
            maxLength={64}
            autoComplete="off"
          />
          <Textarea
            name="note"
            label="Note"
            defaultValue={decision.note ?? ''}
            maxLength={4_000}
            autosize
            minRows={2}
            maxRows={12}
          />
          <Group justify="flex-end">
            <Button type="submit" size="compact-md" loading={busy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
