import { Button, Group, Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { showFailure } from './show-failure.tsx';
import { PARTS_TEXT } from './text.ts';

/** Asks for confirmation of an action. If `onConfirm` rejects, the dialog stays open and shows the error. */
export function Confirm({
  opened,
  title,
  children,
  action,
  dismiss = PARTS_TEXT.cancel,
  destructive = true,
  onConfirm,
  onClose,
}: {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** Text of the confirm button: a verb. */
  readonly action: string;
  /** Text of the button that closes the dialog. */
  readonly dismiss?: string;
  /** False for an action without data loss. Its button is not red. */
  readonly destructive?: boolean;
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
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}>
      <Text component="div" size="sm" mb="md">
        {children}
      </Text>
      <Group justify="flex-end">
        {/* The initial focus must not be on the destructive action. */}
        <Button variant="default" data-autofocus={destructive ? true : undefined} onClick={onClose}>
          {dismiss}
        </Button>
        <Button {...(destructive ? { color: 'red' } : { 'data-autofocus': true })} loading={busy} onClick={confirm}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
