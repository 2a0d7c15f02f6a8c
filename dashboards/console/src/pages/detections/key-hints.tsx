import { Group, Text } from '@mantine/core';
import { DETECTIONS_TEXT } from './text.ts';

/** The most important shortcuts of the list, in one line: key caps with their actions. */
export function KeyHints() {
  return (
    <Group gap="4px 1rem" visibleFrom="sm">
      {DETECTIONS_TEXT.keyHints.map(({ keys, action }) => (
        <Group key={action} gap={4} wrap="nowrap">
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          <Text size="xs" c="dimmed">
            {action}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
