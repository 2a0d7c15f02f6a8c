import { Button, Group, Modal, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { useProfile } from '../../app/use-profile.ts';
import { exceptionCreatedText } from '../../parts/exception-created-text.ts';
import { refreshExceptions } from '../../parts/refresh-exceptions.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import type { Detection } from './detection-types.ts';
import { LiveExceptionPreview } from './live-exception-preview.tsx';

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { value: '7', label: 'After 7 days' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '', label: 'Never' },
];
const PAUSE_MS = 500;

/** Creates an exception from a detection, after a preview of what it silences. Long: the markup of one dialog. */
export function ExceptionDialog({
  detection,
  onClose,
}: {
  readonly detection: Pick<Detection, 'id' | 'hostname' | 'procname' | 'file' | 'rule'>;
  readonly onClose: () => void;
}) {
  const { id, hostname, procname, rule } = detection;
  const profile = useProfile();
  const queries = useQueryClient();
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
  const [previewed] = useDebouncedValue(JSON.stringify(draft), PAUSE_MS);
  const admin = may(profile, 'admin');

  async function make() {
    setBusy(true);
    try {
      const created = await call('post', '/api/exceptions', { body: { ...draft, reason: reason.trim() } });
      await refreshExceptions(queries);
      showDone(exceptionCreatedText(created));
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
      title="Make an exception from this"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="xs">
        <Text size="sm">
          Matching detections stay stored but raise no alert, open ones included. <code>*</code> is any text,{' '}
          <code>?</code> one character; an empty field matches everything.
        </Text>
        <Group grow gap="xs" preventGrowOverflow={false}>
          {field('hostname', 'Host')}
          {field('program', 'Program')}
        </Group>
        <Group grow gap="xs" preventGrowOverflow={false}>
          {field('file', 'Mapped file')}
          {field('rule', 'Rule')}
        </Group>
        <NativeSelect
          size="xs"
          label="Ends"
          data={EXPIRIES}
          value={days}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
        />
        <LiveExceptionPreview draft={previewed} />
        {admin ? (
          <>
            <Textarea
              label="Reason"
              required
              maxLength={2_000}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
              autosize
              minRows={2}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Make none
              </Button>
              <Button loading={busy} disabled={reason.trim() === ''} onClick={() => void make()}>
                Make the exception
              </Button>
            </Group>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            Exceptions are made by administrators: show one this preview.
          </Text>
        )}
      </Stack>
    </Modal>
  );
}

/** Fields that hold something. */
function filled(subject: Readonly<Record<'hostname' | 'program' | 'file' | 'rule', string>>) {
  return Object.fromEntries(
    Object.entries(subject)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
}
