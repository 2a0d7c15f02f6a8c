import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { FEED_TYPES } from './feed-line.ts';
import { MAX_LINES } from './feed-lines.ts';
import { type FeedState, useLiveFeed } from './use-live-feed.ts';

const CONNECTIONS: Readonly<Record<FeedState, { readonly text: string; readonly tone: 'good' | 'neutral' | 'bad' }>> = {
  connecting: { text: 'Connecting …', tone: 'neutral' },
  live: { text: 'Live', tone: 'good' },
  away: { text: 'Not connected, trying again', tone: 'bad' },
};
const LABELS = {
  request: 'Requests',
  security: 'Abuse',
  detection: 'Detections',
  execution: 'Runs',
  dropped: 'Left out',
} as const;

/** What happens on the server right now: requests, signs of abuse, detections, runs. */
export function LiveFeed() {
  const { lines, paused, connection, dispatch } = useLiveFeed();
  const [types, setTypes] = useState<string[]>([...FEED_TYPES]);
  const pause = () => dispatch({ do: paused ? 'go-on' : 'pause' });
  useShortcuts([{ keys: 'p', does: 'Pause the live feed, or go on', run: pause }]);
  const shown = lines.shown.filter(({ type }) => types.includes(type));
  return (
    <>
      <Group gap="lg" mb="sm" align="flex-end">
        <Checkbox.Group label="Show" value={types} onChange={setTypes}>
          <Group gap="md" mt={4}>
            {FEED_TYPES.map((type) => (
              <Checkbox key={type} value={type} label={LABELS[type]} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group gap="xs">
          <Button size="compact-md" variant="default" aria-pressed={paused} onClick={pause}>
            {paused ? 'Go on' : 'Pause'}
          </Button>
          <Button size="compact-md" variant="default" onClick={() => dispatch({ do: 'clear' })}>
            Clear
          </Button>
        </Group>
        <Group gap="xs" role="status">
          <StatusBadge {...CONNECTIONS[connection]} />
          {paused && <Text size="sm">Paused: {lines.missed} new since then</Text>}
        </Group>
      </Group>
      {/* Not read out: it would never stop. */}
      <div
        role="log"
        aria-live="off"
        aria-label="Live feed, newest first"
        tabIndex={0}
        className="tl-scroll tl-feed"
        style={{ height: 'max(16rem, calc(100dvh - 19rem))' }}
      >
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p="sm">
            Nothing yet. What happens from now on is shown here, the newest {MAX_LINES} lines.
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
