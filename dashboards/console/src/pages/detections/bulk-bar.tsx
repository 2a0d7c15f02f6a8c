import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.actions;

/** Actions on all selected detections. */
export function BulkBar({
  count,
  matching,
  isAll,
  progress,
  onSelectAll,
  onAcknowledge,
  onClose,
  onAssign,
  onClear,
  children,
}: {
  readonly count: number;
  /** Number of detections that match the filters. Undefined while they are being counted. */
  readonly matching: number | undefined;
  /** True if all detections that match the filters are selected. */
  readonly isAll: boolean;
  /** Number of detections that the current change has processed. Undefined without a change. */
  readonly progress: number | undefined;
  readonly onSelectAll: () => void;
  readonly onAcknowledge: () => void;
  readonly onClose: () => void;
  readonly onAssign: () => void;
  readonly onClear: () => void;
  /** Additional actions. */
  readonly children?: ReactNode;
}) {
  const busy = progress !== undefined;
  return (
    <Group gap="xs" role="toolbar" aria-label={DETECTIONS_TEXT.selection}>
      <Text size="sm" fw={600} role="status">
        {busy && isAll
          ? DETECTIONS_TEXT.progress(progress, count)
          : isAll
            ? DETECTIONS_TEXT.selectedAll(count)
            : DETECTIONS_TEXT.selected(count)}
      </Text>
      {!isAll && matching !== undefined && matching > count && (
        <Button size="compact-sm" variant="light" disabled={busy} onClick={onSelectAll}>
          {DETECTIONS_TEXT.selectAll(matching)}
        </Button>
      )}
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
      <Button size="compact-sm" variant="subtle" disabled={busy} onClick={onClear}>
        {TEXT.clearSelection}
      </Button>
    </Group>
  );
}
