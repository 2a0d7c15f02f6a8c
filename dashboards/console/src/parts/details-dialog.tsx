import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Confirm } from './confirm.tsx';
import { PARTS_TEXT } from './text.ts';

/** An action on the shown item. It needs confirmation. */
export interface DetailsAction {
  /** Text of the button: a verb. */
  readonly text: string;
  /** True if it cannot be undone. The confirm button is then red. */
  readonly destructive?: boolean;
  readonly question: string;
  /** Text of the confirm button. */
  readonly confirm: string;
  /** Effect of the action, as a sentence. */
  readonly consequence: ReactNode;
  /** If it rejects, the confirmation stays open and shows the error. */
  readonly run: () => Promise<unknown>;
}

/**
 * Details of one item in a dialog, with at most one action. The confirmation replaces the dialog, and both close after
 * the action.
 */
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
      <Modal
        opened={!asking}
        onClose={onClose}
        size="lg"
        title={title}
        closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}
      >
        {children}
        <Group justify="flex-end" className="tl-dialog-buttons">
          <Button variant="default" onClick={onClose}>
            {PARTS_TEXT.close}
          </Button>
          {action !== undefined && (
            <Button
              {...(action.destructive ? { variant: 'default', c: 'var(--mantine-color-error)' } : {})}
              onClick={() => setAsking(true)}
            >
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
          destructive={action.destructive ?? false}
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
