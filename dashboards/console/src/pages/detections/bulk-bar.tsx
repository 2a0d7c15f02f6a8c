import { Button, Group, Text } from '@mantine/core';

/** What can be done to all that are selected. */
export function BulkBar({
  count,
  busy,
  onAcknowledge,
  onClose,
  onAssign,
  onClear,
}: {
  readonly count: number;
  readonly busy: boolean;
  readonly onAcknowledge: () => void;
  readonly onClose: () => void;
  readonly onAssign: () => void;
  readonly onClear: () => void;
}) {
  return (
    <Group gap="xs" role="toolbar" aria-label="Selected detections">
      <Text size="sm" fw={600} role="status">
        {count} selected
      </Text>
      <Button size="compact-sm" loading={busy} onClick={onAcknowledge}>
        Acknowledge
      </Button>
      <Button size="compact-sm" variant="default" disabled={busy} onClick={onClose}>
        Close …
      </Button>
      <Button size="compact-sm" variant="default" disabled={busy} onClick={onAssign}>
        Assign to me
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Select none
      </Button>
    </Group>
  );
}
