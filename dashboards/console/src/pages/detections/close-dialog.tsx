import { Button, Group, Modal, Radio, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { VERDICTS } from '#schemas/detection-terms.ts';
import type { DecisionChange } from '../detection/decide.ts';
import { VERDICT_WORDS } from '../detection/decision-words.ts';

/** Asks what it was before it is closed. */
export function CloseDialog({
  subject,
  onDecide,
  onClose,
}: {
  /** What is to be closed, in words; undefined: the dialog is not shown. */
  readonly subject: string | undefined;
  readonly onDecide: (change: DecisionChange) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const verdict = VERDICTS.find((one) => one === form.get('verdict'));
    const note = String(form.get('note')).trim();
    if (verdict === undefined) return;
    setBusy(true);
    try {
      await onDecide({ status: 'closed', verdict, ...(note === '' ? {} : { note }) });
      onClose();
    } finally {
      setBusy(false);
    }
  }
  return (
    <Modal
      opened={subject !== undefined}
      onClose={onClose}
      title={`Close ${subject}`}
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Radio.Group name="verdict" label="What was it?" required>
            <Stack gap={6} mt={6}>
              {VERDICTS.map((verdict, index) => (
                <Radio
                  key={verdict}
                  value={verdict}
                  label={VERDICT_WORDS[verdict]}
                  required
                  {...(index === 0 ? { 'data-autofocus': true } : {})}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            name="note"
            label="Note"
            description="Replaces the note there is"
            maxLength={4_000}
            autosize
            minRows={2}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Keep open
            </Button>
            <Button type="submit" loading={busy}>
              Close
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
