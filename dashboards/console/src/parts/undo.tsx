import { Button, Group, Text } from '@mantine/core';
import { notify, removeNotification } from './notify.ts';
import { useShortcuts } from './shortcuts.ts';
import { showFailure } from './show-failure.tsx';
import { PARTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.undo;
/** Time for which an undo is offered. Hovering or focusing the notification stops the time. */
const OFFERED_MS = 10_000;

interface Offer {
  readonly id: string;
  readonly undo: () => Promise<unknown>;
}
let offered: Offer | undefined;

/** Shows a completed change as a notification with an undo button. A new notification replaces the previous one. */
export function offerUndo(message: string, undo: () => Promise<unknown>): void {
  if (offered !== undefined) removeNotification(offered.id);
  const id = `undo-${crypto.randomUUID()}`;
  offered = { id, undo };
  notify({
    id,
    color: 'green',
    role: 'status',
    autoClose: OFFERED_MS,
    closeButtonProps: { 'aria-label': PARTS_TEXT.close },
    onClose: () => forget(id),
    message: (
      <Group gap="sm" justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          onClick={undoLast}
          rightSection={<kbd>{TEXT.key}</kbd>}
        >
          {TEXT.action}
        </Button>
      </Group>
    ),
  });
}

/** Binds the key for the same action as the button. */
export function useUndoKey(): void {
  useShortcuts([{ keys: TEXT.key, does: TEXT.shortcut, run: undoLast }]);
}

function undoLast(): void {
  if (offered === undefined) return;
  const { id, undo } = offered;
  forget(id);
  removeNotification(id);
  undo().catch(showFailure);
}

function forget(id: string): void {
  if (offered?.id === id) offered = undefined;
}
