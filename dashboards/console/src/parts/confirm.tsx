import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { showFailure } from './show-failure.tsx';

/** Asks before something that can't be taken back. `onConfirm` rejecting keeps the dialog open and tells why. */
export function Confirm({
  opened,
  title,
  children,
  action,
  onConfirm,
  onClose,
}: {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** What the button says: a verb. */
  readonly action: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Text component="div" size="sm" mb="md">
        {children}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Keep as it is
        </Button>
        <Button color="red" loading={busy} onClick={confirm}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
