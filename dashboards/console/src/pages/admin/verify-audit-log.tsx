import { Alert, Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';

type Verification = Answer<'get', '/api/admin/audit-log/verify'>;

const FAULTS = {
  altered: 'its text does not fit its hash',
  missing: 'it is missing',
  unlinked: 'it does not follow the entry before it',
  unexpected: 'the head of the log, or what was noted, knows nothing of it',
} as const;

/** Reads the whole log on the server and tells whether anybody changed it. */
export function VerifyAuditLog() {
  const [opened, { open, close }] = useDisclosure();
  const verify = useMutation({
    mutationFn: (expect: string) => call('get', '/api/admin/audit-log/verify', { query: { expect } }),
  });
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    verify.mutate(String(new FormData(event.currentTarget).get('expect')).trim());
  }
  return (
    <>
      <Button
        size="compact-md"
        variant="default"
        onClick={() => {
          verify.reset();
          open();
        }}
      >
        Verify the chain
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        size="lg"
        title="Verify the audit log"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form onSubmit={onSubmit}>
          <TextInput
            name="expect"
            label="What the last check told"
            description="Entry and hash as noted elsewhere, 12:3f…; empty: the log is compared with itself only"
            pattern="\s*\d{1,15}:[0-9a-f]{64}\s*"
            data-autofocus
          />
          <Group justify="flex-end" mt="sm">
            <Button type="submit" loading={verify.isPending}>
              Verify
            </Button>
          </Group>
        </form>
        {verify.isError && <FailureNotice error={verify.error} />}
        {verify.isSuccess && <Outcome found={verify.data} onLeave={close} />}
      </Modal>
    </>
  );
}

function Outcome({
  found: { verified, head, broken },
  onLeave,
}: {
  readonly found: Verification;
  readonly onLeave: () => void;
}) {
  if (broken !== null)
    return (
      <Alert variant="outline" color="red" title="The log was changed" role="alert" mt="sm">
        <Text size="sm">
          <PageLink to="/admin/audit-log" search={{ entry: String(broken.id) }} underline="always" onClick={onLeave}>
            Entry {broken.id}
          </PageLink>{' '}
          is the first that is not as it was written: {FAULTS[broken.fault]}. {verified} entries before it are. Compare
          with a backup and with what the SIEM received.
        </Text>
      </Alert>
    );
  return (
    <Alert variant="outline" color="indigo" title="The log is as it was written" role="status" mt="sm">
      <Text size="sm">
        {verified} entries. Note this where nobody reaches it who reaches the database; with it the next check also
        tells a log that was written anew:
      </Text>
      <CopyText text={`${head.id}:${head.hash}`} label="Head of the log" />
    </Alert>
  );
}
