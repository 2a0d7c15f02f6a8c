import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { PARTS_TEXT } from './text.ts';

/**
 * A dialog that creates a secret and shows it once. A click outside does not close it, because the secret would be
 * lost.
 */
export function SecretDialog({
  opened,
  title,
  onClose,
  children,
}: {
  readonly opened: boolean;
  readonly title: string;
  readonly onClose: () => void;
  /** The form, which is empty each time the dialog opens. */
  readonly children: ReactNode;
}) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}
    >
      {opened && children}
    </Modal>
  );
}

/** The secret, with a button that closes the dialog. */
export function ShownOnce({
  done,
  onClose,
  children,
}: {
  readonly done: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <>
      {children}
      <Button fullWidth onClick={onClose}>
        {done}
      </Button>
    </>
  );
}
