import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';

/** What can be done with what is shown; it is asked about first. */
export interface DetailsAction {
  /** What the button says: a verb. */
  readonly text: string;
  /** Red: what can't be taken back. */
  readonly color?: string;
  readonly question: string;
  /** What the button of the question says. */
  readonly confirm: string;
  /** What follows. */
  readonly consequence: ReactNode;
  /** Rejecting keeps the question open and tells why. */
  readonly run: () => Promise<unknown>;
}

/** One thing in a dialog, with one action at most; its question takes the place of the dialog, and both close when it is done. */
export function DetailsDialog({
  title,
  action,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action?: DetailsAction | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Modal opened={!asking} onClose={onClose} size="lg" title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {action !== undefined && (
            <Button {...(action.color === undefined ? {} : { color: action.color })} onClick={() => setAsking(true)}>
              {action.text}
            </Button>
          )}
        </Group>
      </Modal>
      {action !== undefined && (
        <Confirm
          opened={asking}
          title={action.question}
          action={action.confirm}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await action.run();
            onClose();
          }}
        >
          {action.consequence}
        </Confirm>
      )}
    </>
  );
}
