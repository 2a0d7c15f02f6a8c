import { useEffect, useRef, useState } from 'react';
import { addressOf } from '../../api/client.ts';
import type { Detection } from '../detection/detection-types.ts';
import type { DetectionFilters } from './filters.ts';

export type Connection = 'connecting' | 'live' | 'off';

/** The browser comes back by itself when a connection breaks, not when it was refused. */
const RETRY_MS = 30_000;

/** Follows new and grown detections. `onMissed`: there were more than the stream keeps. */
export function useArrivals(
  { rule, severity, hostname, procname }: DetectionFilters,
  handlers: { readonly onDetection: (detection: Detection) => void; readonly onMissed: () => void },
): Connection {
  const [connection, setConnection] = useState<Connection>('connecting');
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const address = addressOf('/api/detections/stream', { query: { rule, severity, hostname, procname } });
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout> | undefined;
    function open() {
      source = new EventSource(address);
      source.onopen = () => setConnection('live');
      source.onerror = () => {
        const refused = source.readyState === EventSource.CLOSED;
        setConnection(refused ? 'off' : 'connecting');
        if (refused) retry = setTimeout(open, RETRY_MS);
      };
      source.addEventListener('detection', ({ data }) =>
        latest.current.onDetection(JSON.parse(String(data)) as Detection),
      );
      source.addEventListener('missed', () => latest.current.onMissed());
    }
    open();
    return () => {
      clearTimeout(retry);
      source.close();
    };
  }, [rule, severity, hostname, procname]);
  return connection;
}
