import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { APP_TEXT } from './text.ts';

/** Shown while requests are delayed because the address has almost reached its rate limit. */
export function WaitingNotice() {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(0);
  useEffect(() => {
    const onWaiting = (event: Event) => {
      setNow(Date.now());
      setUntil(Date.now() + (event as CustomEvent<number>).detail);
    };
    addEventListener('trapline:waiting', onWaiting);
    return () => removeEventListener('trapline:waiting', onWaiting);
  }, []);
  useEffect(() => {
    if (until <= now) return;
    const timer = setTimeout(() => setNow(Date.now()), 1_000);
    return () => clearTimeout(timer);
  }, [until, now]);
  return (
    <Text fz={{ base: 'xs', sm: 'sm' }} lh={1.2} role="status" c="dimmed">
      {until > now ? APP_TEXT.delayed(Math.ceil((until - now) / 1_000)) : ''}
    </Text>
  );
}
