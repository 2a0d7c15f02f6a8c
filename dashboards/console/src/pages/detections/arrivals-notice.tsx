import { Button, Group, Text } from '@mantine/core';
import { counted } from '../../parts/counted.ts';
import type { Connection } from './use-arrivals.ts';

const WORDS: Readonly<Record<Connection, string>> = {
  live: 'Live',
  connecting: 'Connecting …',
  off: 'Not live: the server refused the connection; it is tried again every 30 s',
};

/** Says that there is more, instead of moving what is being read. */
export function ArrivalsNotice({
  connection,
  fresh,
  perhaps,
  onShow,
}: {
  readonly connection: Connection;
  readonly fresh: number;
  /** Whether they belong to the list is not certain. */
  readonly perhaps: boolean;
  readonly onShow: () => void;
}) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" c="dimmed">
        {WORDS[connection]}
      </Text>
      <div aria-live="polite">
        {fresh > 0 && (
          <Button size="compact-sm" onClick={onShow}>
            {counted(fresh, 'new detection')}
            {perhaps ? ', perhaps of this search' : ''}: show
          </Button>
        )}
      </div>
    </Group>
  );
}
