import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.actions;

/** Actions on all selected detections. */
export function BulkBar({
  count,
  busy,
  onAcknowledge,
  onClose,
  onAssign,
  onClear,
  children,
}: {
  readonly count: number;
  readonly busy: boolean;
  readonly onAcknowledge: () => void;
  readonly onClose: () => void;
  readonly onAssign: () => void;
  readonly onClear: () => void;
  /** Further actions. */
  readonly children?: ReactNode;
}) {
  return (
    <Group gap="xs" role="toolbar" aria-label={DETECTIONS_TEXT.selection}>
      <Text size="sm" fw={600} role="status">
        {DETECTIONS_TEXT.selected(count)}
      </Text>
      <Button size="compact-sm" loading={busy} onClick={onAcknowledge}>
        {TEXT.acknowledge}
      </Button>
      <Button size="compact-sm" variant="default" disabled={busy} onClick={onClose}>
        {TEXT.close}
      </Button>
      <Button size="compact-sm" variant="default" disabled={busy} onClick={onAssign}>
        {TEXT.assignToMe}
      </Button>
      {children}
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {TEXT.clearSelection}
      </Button>
    </Group>
  );
}
