import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { ACTIVE_MINUTES, stoppedFor } from './figures.ts';
import { durationText } from './story.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.activity;
const REFRESH_MS = 15_000;
const MINUTE = 60;
const HOUR = 3_600;

/** Shows whether evidence is still arriving, or how long ago it stopped. */
export function ActivityState({ lastSeen }: { readonly lastSeen: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const stopped = stoppedFor(lastSeen, now);
  const text = stopped === undefined ? TEXT.active : TEXT.stopped(roughly(stopped));
  return (
    <Tooltip label={stopped === undefined ? TEXT.activeHint(ACTIVE_MINUTES) : TEXT.stoppedHint}>
      <span>
        <StatusBadge text={text} tone={stopped === undefined ? 'bad' : 'neutral'} />
      </span>
    </Tooltip>
  );
}

/** Returns whole minutes, because the page need not be more exact. */
function roughly(seconds: number): string {
  return seconds < HOUR ? TEXT.minutes(Math.floor(seconds / MINUTE)) : durationText(seconds);
}
