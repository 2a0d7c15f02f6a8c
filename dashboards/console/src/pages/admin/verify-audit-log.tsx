import { Alert, Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { ADMIN_TEXT } from './text.ts';

const TEXT = ADMIN_TEXT.verify;

type Verification = Answer<'get', '/api/admin/audit-log/verify'>;

/** Verifies the hash chain of the whole audit log on the server. */
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
        variant="default"
        onClick={() => {
          verify.reset();
          open();
        }}
      >
        {TEXT.open}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        size="lg"
        title={TEXT.title}
        closeButtonProps={{ 'aria-label': TEXT.close }}
      >
        <form onSubmit={onSubmit}>
          <TextInput
            name="expect"
            label={TEXT.checkpoint}
            description={TEXT.checkpointHint}
            pattern="\s*\d{1,15}:[0-9a-f]{64}\s*"
            data-autofocus
          />
          <Group justify="flex-end" mt="sm">
            <Button type="submit" loading={verify.isPending}>
              {TEXT.action}
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
      <Alert variant="outline" color="red" title={TEXT.changed.title} role="alert" mt="sm">
        <Text size="sm">
          <PageLink to="/admin/audit-log" search={{ entry: String(broken.id) }} underline="always" onClick={onLeave}>
            {TEXT.changed.entry(broken.id)}
          </PageLink>
          {TEXT.changed.fault(TEXT.faults[broken.fault], verified)}
        </Text>
      </Alert>
    );
  return (
    <Alert variant="outline" color="indigo" title={TEXT.unchanged.title} role="status" mt="sm">
      <Text size="sm">{TEXT.unchanged.hint(verified)}</Text>
      <CopyText text={`${head.id}:${head.hash}`} label={TEXT.unchanged.checkpoint} />
    </Alert>
  );
}
