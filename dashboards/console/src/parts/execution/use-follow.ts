import { useEffect, useState } from 'react';
import { addressOf } from '../../api/client.ts';
import { followEvents } from '../../api/event-stream.ts';
import { type Followed, NOTHING_FOLLOWED, takeIn } from './follow.ts';

const KINDS = ['status', 'step', 'line', 'end'] as const;
/** Interval of batches. An execution with thousands of steps sends all their events when it is opened. */
const GATHER_MS = 100;

/** Follows an execution from its start until it has finished. Resumes after an interruption. */
export function useFollow(executionId: string): Followed & { readonly connected: boolean } {
  const [followed, setFollowed] = useState<Followed>(NOTHING_FOLLOWED);
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    setFollowed(NOTHING_FOLLOWED);
    setConnected(true);
    let gathered: { kind: string; id: string; data: unknown }[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      const events = gathered;
      gathered = [];
      setFollowed((known) => takeIn(known, events));
    };
    const end = followEvents(
      (after) => addressOf('/api/v1/executions/{executionId}/events', { path: { executionId }, query: { after } }),
      {
        kinds: KINDS,
        onEvent(event) {
          gathered.push(event);
          timer ??= setTimeout(flush, GATHER_MS);
          if (event.kind === 'end') end();
        },
        onState: (state) => setConnected(state === 'live'),
      },
    );
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [executionId]);
  return { ...followed, connected };
}
