import { ActionIcon, Group, Text } from '@mantine/core';
import { Icon } from '../../parts/icons.tsx';
import type { ListWalk } from '../detections/use-list-walk.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.walk;

/**
 * Position of a detection in the list from which the analyst opened it, with buttons for its neighbours. Empty if it
 * was not opened from a list.
 */
export function ListWalkBar({ walk }: { readonly walk: ListWalk }) {
  const { position, loaded, hasMore } = walk;
  if (position === undefined) return null;
  return (
    <Group gap={4} wrap="nowrap" role="group" aria-label={TEXT.label}>
      <ActionIcon
        variant="default"
        disabled={position === 1}
        onClick={walk.previous}
        aria-label={TEXT.previous}
        title={TEXT.previousTitle}
      >
        <Icon name="previous" />
      </ActionIcon>
      <Text size="sm" c="dimmed" className="tl-nowrap">
        {TEXT.position(position, loaded, hasMore)}
      </Text>
      <ActionIcon
        variant="default"
        disabled={position === loaded && !hasMore}
        onClick={walk.next}
        aria-label={TEXT.next}
        title={TEXT.nextTitle}
      >
        <Icon name="next" />
      </ActionIcon>
    </Group>
  );
}
