import { Button, Group, NativeSelect, Stack, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import { VERDICTS } from '#schemas/detection-terms.ts';
import { Section } from '../../parts/section.tsx';
import { PersonInput } from '../hand-off/person-input.tsx';
import type { DecisionChange } from './decide.ts';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const { decision: TEXT, actions: ACTIONS } = DETECTION_TEXT;

type Decision = Pick<Detection, 'status' | 'verdict' | 'assignee' | 'note'>;

interface DecisionProps {
  readonly decision: Decision;
  readonly busy: boolean;
  /** The signed-in user. */
  readonly username: string;
  readonly onChange: (change: DecisionChange) => void;
  /** Opens the dialog for the verdict. */
  readonly onClose: () => void;
  readonly onException: () => void;
}

/** The decision about a detection: a set of actions, and a form for the other fields. Only changed fields are sent. */
export function DecisionSection(props: DecisionProps) {
  const { decision, busy, onChange } = props;

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim() || null;
    const wanted: Decision = {
      status: decision.status,
      verdict: VERDICTS.find((one) => one === form.get('verdict')) ?? null,
      assignee: text('assignee'),
      note: text('note'),
    };
    const names = ['verdict', 'assignee', 'note'] as const;
    const changed = names.filter((name) => wanted[name] !== decision[name]);
    if (changed.length > 0) onChange(Object.fromEntries(changed.map((name) => [name, wanted[name]])));
  }

  return (
    <Section title={TEXT.title}>
      <DecisionActions {...props} />
      {/* The key resets the form when another user changes the decision. */}
      <form onSubmit={save} key={JSON.stringify([decision.status, decision.verdict, decision.assignee, decision.note])}>
        <Stack gap="xs">
          <NativeSelect
            size="xs"
            name="verdict"
            label={TEXT.verdict}
            defaultValue={decision.verdict ?? ''}
            data={[
              { value: '', label: TEXT.noVerdict },
              ...VERDICTS.map((value) => ({ value, label: DETECTION_TEXT.verdicts[value] })),
            ]}
          />
          <PersonInput
            size="xs"
            name="assignee"
            label={TEXT.assignee}
            placeholder={TEXT.unassigned}
            defaultValue={decision.assignee ?? ''}
          />
          <Textarea
            size="xs"
            name="note"
            label={TEXT.note}
            defaultValue={decision.note ?? ''}
            maxLength={4_000}
            autosize
            minRows={2}
            maxRows={12}
          />
          <Group justify="flex-end">
            <Button type="submit" size="compact-sm" variant="default" loading={busy}>
              {TEXT.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** The most likely next action is first and is the primary button: acknowledge, close, reopen. */
function DecisionActions({ decision, busy, username, onChange, onClose, onException }: DecisionProps) {
  const { status } = decision;
  const acknowledge = (
    <Button
      key="acknowledge"
      size="compact-sm"
      variant={status === 'new' ? 'filled' : 'default'}
      disabled={busy || status === 'acknowledged'}
      onClick={() => onChange({ status: 'acknowledged' })}
    >
      {ACTIONS.acknowledge}
    </Button>
  );
  const closeOrReopen =
    status === 'closed' ? (
      <Button key="reopen" size="compact-sm" disabled={busy} onClick={() => onChange({ status: 'new' })}>
        {ACTIONS.reopen}
      </Button>
    ) : (
      <Button
        key="close"
        size="compact-sm"
        variant={status === 'acknowledged' ? 'filled' : 'default'}
        disabled={busy}
        onClick={onClose}
      >
        {ACTIONS.close}
      </Button>
    );
  return (
    <Group gap={6} mb="sm" role="group" aria-label={ACTIONS.label}>
      {status === 'new' ? [acknowledge, closeOrReopen] : [closeOrReopen, acknowledge]}
      <Button
        size="compact-sm"
        variant="default"
        disabled={busy || decision.assignee === username}
        onClick={() => onChange({ assignee: username })}
      >
        {ACTIONS.assignToMe}
      </Button>
      <Button size="compact-sm" variant="default" onClick={onException}>
        {ACTIONS.createException}
      </Button>
    </Group>
  );
}
