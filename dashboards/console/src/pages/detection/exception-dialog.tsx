import { Button, Group, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Fragment, useState } from 'react';
import { LiveExceptionPreview } from '../../parts/exceptions/live-exception-preview.tsx';
import { useNewException } from '../../parts/exceptions/use-new-exception.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { showFailure } from '../../parts/show-failure.tsx';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.exception;

const DAY_MS = 86_400_000;
const EXPIRIES = [
  ...[7, 30, 90].map((days) => ({ value: String(days), label: TEXT.afterDays(days) })),
  { value: '', label: TEXT.never },
];
/** Delay of the preview after the last keystroke. */
const PREVIEW_DELAY_MS = 500;

/**
 * Creates or requests an exception from a detection, after a preview of the silenced detections. Long: the markup of
 * one dialog.
 */
export function ExceptionDialog({
  detection,
  onClose,
}: {
  readonly detection: Pick<Detection, 'id' | 'hostname' | 'procname' | 'file' | 'rule'>;
  readonly onClose: () => void;
}) {
  const { id, hostname, procname, rule } = detection;
  const { mayCreate, error: policyError, save } = useNewException();
  const [subject, setSubject] = useState({
    hostname: hostname ?? '',
    program: procname ?? '',
    file: '',
    rule: rule.id as string,
  });
  const [days, setDays] = useState('30');
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [openedAt] = useState(() => Date.now());
  const expires = days === '' ? null : new Date(openedAt + Number(days) * DAY_MS).toISOString();
  const draft = { ...filled(subject), expires, detection: id };
  const [previewed] = useDebouncedValue(JSON.stringify(draft), PREVIEW_DELAY_MS);
  async function create() {
    setBusy(true);
    try {
      await save({ ...draft, reason: reason.trim() });
      onClose();
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }

  const field = (name: keyof typeof subject, label: string) => (
    <TextInput
      label={label}
      size="xs"
      value={subject[name]}
      onChange={({ currentTarget: { value } }) => setSubject((before) => ({ ...before, [name]: value }))}
      spellCheck={false}
      autoComplete="off"
      maxLength={512}
    />
  );
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={mayCreate === false ? TEXT.requestTitle : TEXT.title}
      closeButtonProps={{ 'aria-label': TEXT.close }}
    >
      <Stack gap="xs">
        <Text size="sm">
          {TEXT.hint}{' '}
          {TEXT.wildcards.map(({ wildcard, matches }) => (
            <Fragment key={wildcard}>
              <code>{wildcard}</code> {matches},{' '}
            </Fragment>
          ))}
          {TEXT.emptyField}.
        </Text>
        <Group grow gap="xs" preventGrowOverflow={false}>
          {field('hostname', TEXT.host)}
          {field('program', TEXT.program)}
        </Group>
        <Group grow gap="xs" preventGrowOverflow={false}>
          {field('file', TEXT.file)}
          {field('rule', TEXT.rule)}
        </Group>
        <NativeSelect
          size="xs"
          label={TEXT.expires}
          data={EXPIRIES}
          value={days}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
        />
        <LiveExceptionPreview draft={previewed} label={TEXT.loadingPreview} />
        {policyError !== null && <FailureNotice error={policyError} />}
        {mayCreate === false && (
          <Text size="sm" c="dimmed">
            {TEXT.needsApproval}
          </Text>
        )}
        <Textarea
          label={TEXT.reason}
          required
          data-autofocus
          maxLength={2_000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          autosize
          minRows={2}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {TEXT.cancel}
          </Button>
          <Button
            loading={busy}
            disabled={reason.trim() === '' || mayCreate === undefined}
            onClick={() => void create()}
          >
            {mayCreate === false ? TEXT.request : TEXT.create}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Returns the fields that are not empty. */
function filled(subject: Readonly<Record<'hostname' | 'program' | 'file' | 'rule', string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(subject)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
}
