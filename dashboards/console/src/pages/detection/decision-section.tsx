import { Button, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import { DETECTION_STATUSES, VERDICTS } from '#schemas/detection-terms.ts';
import { Section } from '../../parts/section.tsx';
import { DETECTIONS_TEXT } from '../detections/text.ts';
import { PersonInput } from '../hand-off/person-input.tsx';
import type { DecisionChange } from './decide.ts';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.decision;

type Decision = Pick<Detection, 'status' | 'verdict' | 'assignee' | 'note'>;

/** The decision about a detection, as one form. Only changed fields are sent. */
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
    <Section title={TEXT.title}>
      {/* The key resets the form when another user changes the decision. */}
      <form onSubmit={save} key={JSON.stringify([decision.status, decision.verdict, decision.assignee, decision.note])}>
        <Stack gap="xs">
          <NativeSelect
            name="status"
            label={TEXT.status}
            defaultValue={decision.status}
            data={DETECTION_STATUSES.map((value) => ({ value, label: DETECTIONS_TEXT.statuses[value] }))}
          />
          <NativeSelect
            name="verdict"
            label={TEXT.verdict}
            defaultValue={decision.verdict ?? ''}
            data={[
              { value: '', label: TEXT.noVerdict },
              ...VERDICTS.map((value) => ({ value, label: DETECTION_TEXT.verdicts[value] })),
            ]}
          />
          <PersonInput
            name="assignee"
            label={TEXT.assignee}
            placeholder={TEXT.unassigned}
            defaultValue={decision.assignee ?? ''}
          />
          <Textarea
            name="note"
            label={TEXT.note}
            defaultValue={decision.note ?? ''}
            maxLength={4_000}
            autosize
            minRows={2}
            maxRows={12}
          />
          <Group justify="flex-end">
            <Button type="submit" size="compact-md" loading={busy}>
              {TEXT.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
