import { Button, Group, Modal, Radio, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { VERDICTS } from '#schemas/detection-terms.ts';
import type { DecisionChange } from '../detection/decide.ts';
import { DETECTION_TEXT } from '../detection/text.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.closeDialog;

/** Asks for the verdict before detections are closed. */
export function CloseDialog({
  subject,
  onDecide,
  onClose,
}: {
  /** Name or number of the detections to close. Undefined: the dialog is closed. */
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
      title={TEXT.title(subject ?? '')}
      closeButtonProps={{ 'aria-label': TEXT.dismiss }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Radio.Group name="verdict" label={TEXT.verdict} required>
            <Stack gap={6} mt={6}>
              {VERDICTS.map((verdict, index) => (
                <Radio
                  key={verdict}
                  value={verdict}
                  label={DETECTION_TEXT.verdicts[verdict]}
                  required
                  {...(index === 0 ? { 'data-autofocus': true } : {})}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea name="note" label={TEXT.note} description={TEXT.noteHint} maxLength={4_000} autosize minRows={2} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {TEXT.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {TEXT.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
