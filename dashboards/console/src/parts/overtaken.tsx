import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { PARTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.conflict;

/**
 * Conflict notice: another user changed the resource since it was loaded, and the user's change is not saved. The
 * content shows the other user's changes.
 */
export function Overtaken({
  title = TEXT.title,
  keepText = TEXT.keepTheirs,
  busy,
  onInsist,
  onYield,
  children,
}: {
  readonly title?: string;
  /** Text of the button that discards the user's change. */
  readonly keepText?: string;
  readonly busy: boolean;
  readonly onInsist: () => void;
  readonly onYield: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Alert color="red" variant="outline" role="alert" title={title} mb="sm">
      {children}
      <Group gap="xs" mt="xs">
        <Button size="compact" loading={busy} onClick={onInsist}>
          {TEXT.overwrite}
        </Button>
        <Button size="compact" variant="default" onClick={onYield}>
          {keepText}
        </Button>
      </Group>
    </Alert>
  );
}
