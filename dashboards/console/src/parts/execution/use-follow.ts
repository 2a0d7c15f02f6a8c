import { useEffect, useState } from 'react';
import { type Followed, NOTHING_FOLLOWED, takeIn } from './follow.ts';

const KINDS = ['status', 'step', 'line', 'end'] as const;
/** Events of so long are taken in at once: an execution with thousands of steps tells them all when it is opened. */
const GATHER_MS = 100;

/** Follows an execution from its beginning until it has ended. The browser itself comes again after an interruption, and goes on where it was. */
export function useFollow(executionId: string): Followed & { readonly connected: boolean } {
  const [followed, setFollowed] = useState<Followed>(NOTHING_FOLLOWED);
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    setFollowed(NOTHING_FOLLOWED);
    setConnected(true);
    const source = new EventSource(`/api/v1/executions/${encodeURIComponent(executionId)}/events`);
    let gathered: { kind: string; id: string; data: unknown }[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      const events = gathered;
      gathered = [];
      setFollowed((known) => takeIn(known, events));
    };
    for (const kind of KINDS)
      source.addEventListener(kind, (event: MessageEvent<string>) => {
        gathered.push({ kind, id: event.lastEventId, data: JSON.parse(event.data) });
        timer ??= setTimeout(flush, GATHER_MS);
        if (kind === 'end') source.close();
      });
    source.onopen = () => setConnected(true);
    source.onerror = () => setConnected(false);
    return () => {
      source.close();
      clearTimeout(timer);
    };
  }, [executionId]);
  return { ...followed, connected };
}
