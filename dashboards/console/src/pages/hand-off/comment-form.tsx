import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { showFailure } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { CommentInput } from './comment-input.tsx';

/** Form for a new or existing comment. Keeps the text until it is stored. */
export function CommentForm({
  initial = '',
  action,
  onSave,
  onCancel,
}: {
  readonly initial?: string;
  /** Text of the button: a verb. */
  readonly action: string;
  readonly onSave: (text: string) => Promise<unknown>;
  readonly onCancel?: () => void;
}) {
  const [text, setText] = useState(initial);
  const [busy, setBusy] = useState(false);

  async function save() {
    if (text.trim() === '' || busy) return;
    setBusy(true);
    try {
      await onSave(text);
      setText(initial);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap={6}>
        <CommentInput value={text} onChange={setText} onSubmit={() => void save()} />
        <Group justify="flex-end" gap="xs">
          {onCancel !== undefined && (
            <Button size="compact-md" variant="default" onClick={onCancel}>
              {PARTS_TEXT.cancel}
            </Button>
          )}
          <Button type="submit" size="compact-md" loading={busy} disabled={text.trim() === ''}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
