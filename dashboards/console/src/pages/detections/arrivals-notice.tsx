import { Button, Group, Text } from '@mantine/core';
import { DETECTIONS_TEXT } from './text.ts';
import type { Connection } from './use-arrivals.ts';

/**
 * State of the live connection, and a button that shows new detections. The list does not change on its own while it is
 * read.
 */
export function ArrivalsNotice({
  connection,
  fresh,
  mayNotMatch,
  onShow,
}: {
  readonly connection: Connection;
  readonly fresh: number;
  /** True if the browser cannot evaluate the search, so that new detections may not match it. */
  readonly mayNotMatch: boolean;
  readonly onShow: () => void;
}) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" c="dimmed">
        {DETECTIONS_TEXT.connection[connection]}
      </Text>
      <div aria-live="polite">
        {fresh > 0 && (
          <Button size="compact-sm" onClick={onShow}>
            {DETECTIONS_TEXT.showNew(fresh, mayNotMatch)}
          </Button>
        )}
      </div>
    </Group>
  );
}
