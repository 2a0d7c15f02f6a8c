import { Modal, NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { CASE_REASONS } from '#schemas/case-terms.ts';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { PARTS_TEXT } from '../../parts/text.ts';
import type { WholeCase } from './queries.ts';
import { CASES_TEXT } from './text.ts';
import type { CaseChange } from './use-case.ts';

interface DialogProps {
  readonly of: WholeCase;
  readonly busy: boolean;
  /** Resolves with true if the change was made. */
  readonly onChange: (change: CaseChange) => Promise<boolean>;
  readonly onClose: () => void;
}

/** Changes title, severity and description. */
export function EditCase({ of, busy, onChange, onClose }: DialogProps) {
  const TEXT = CASES_TEXT.edit;
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim();
    const done = await onChange({
      title: text('title'),
      description: text('description') || null,
      severity: choiceParam(text('severity'), SEVERITIES) ?? of.severity,
    });
    if (done) onClose();
  }
  return (
    <Modal opened onClose={onClose} title={TEXT.title} closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput name="title" label={TEXT.name} defaultValue={of.title} maxLength={200} required data-autofocus />
          <NativeSelect
            name="severity"
            label={TEXT.severity}
            defaultValue={of.severity}
            data={SEVERITIES.toReversed().map((value) => ({ value, label: PARTS_TEXT.severities[value] }))}
          />
          <Textarea
            name="description"
            label={TEXT.description}
            defaultValue={of.description ?? ''}
            maxLength={10_000}
            autosize
            minRows={3}
            maxRows={14}
          />
          <FormButtons submit={TEXT.submit} loading={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

/** Asks for the reason before a case is closed. */
export function CloseCase({ busy, onChange, onClose }: Omit<DialogProps, 'of'>) {
  const TEXT = CASES_TEXT.closeDialog;
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reason = choiceParam(new FormData(event.currentTarget).get('reason'), CASE_REASONS);
    if (reason !== undefined && (await onChange({ status: 'closed', reason }))) onClose();
  }
  return (
    <Modal opened onClose={onClose} title={TEXT.title} closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Radio.Group name="reason" label={TEXT.reason} required>
            <Stack gap={6} mt={6}>
              {CASE_REASONS.map((reason, index) => (
                <Radio
                  key={reason}
                  value={reason}
                  label={CASES_TEXT.reasons[reason]}
                  required
                  {...(index === 0 ? { 'data-autofocus': true } : {})}
                />
              ))}
            </Stack>
          </Radio.Group>
          <FormButtons submit={TEXT.submit} loading={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
