import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { FEED_TYPES } from './feed-line.ts';
import { MAX_LINES } from './feed-lines.ts';
import { DASHBOARD_TEXT } from './text.ts';
import { type FeedState, useLiveFeed } from './use-live-feed.ts';

const TEXT = DASHBOARD_TEXT.live;

const CONNECTIONS: Readonly<Record<FeedState, { readonly text: string; readonly tone: 'good' | 'neutral' | 'bad' }>> = {
  connecting: { text: TEXT.connection.connecting, tone: 'neutral' },
  live: { text: TEXT.connection.live, tone: 'good' },
  disconnected: { text: TEXT.connection.disconnected, tone: 'bad' },
};

/** Live messages of the server: requests, abuse signals, detections, executions. */
export function LiveFeed() {
  const { lines, paused, connection, dispatch } = useLiveFeed();
  const [types, setTypes] = useState<string[]>([...FEED_TYPES]);
  const pause = () => dispatch({ do: paused ? 'resume' : 'pause' });
  useShortcuts([{ keys: 'p', does: TEXT.togglePause, run: pause }]);
  const shown = lines.shown.filter(({ type }) => types.includes(type));
  return (
    <>
      <Group gap="lg" mb="sm" align="flex-end">
        <Checkbox.Group label={TEXT.show} value={types} onChange={setTypes}>
          <Group gap="md" mt={4}>
            {FEED_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={TEXT.types[type]} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group gap="xs">
          <Button variant="default" aria-pressed={paused} onClick={pause}>
            {paused ? TEXT.resume : TEXT.pause}
          </Button>
          <Button variant="default" onClick={() => dispatch({ do: 'clear' })}>
            {TEXT.clear}
          </Button>
        </Group>
        <Group gap="xs" role="status">
          <StatusBadge {...CONNECTIONS[connection]} />
          {paused && <Text size="sm">{TEXT.paused(lines.missed)}</Text>}
        </Group>
      </Group>
      {/* Screen readers must not announce new lines, because there are too many. */}
      <div
        role="log"
        aria-live="off"
        aria-label={TEXT.list}
        tabIndex={0}
        className="tl-scroll tl-feed"
        style={{ height: 'max(16rem, calc(100dvh - 19rem))' }}
      >
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            {TEXT.empty(MAX_LINES)}
          </Text>
        )}
        {shown.map(({ number, type, at, text, bad }) => (
          <div key={number} className="tl-feed-line">
            <span className="tl-mono">
              <TimeText at={at} />
            </span>
            <StatusBadge text={type} tone={bad ? 'warning' : 'neutral'} />
            <span>{visible(text)}</span>
          </div>
        ))}
      </div>
    </>
  );
}
