import { useEffect, useRef, useState } from 'react';
import { addressOf } from '../../api/client.ts';
import { followEvents } from '../../api/event-stream.ts';
import type { Detection } from '../detection/detection-types.ts';
import type { DetectionFilters, ValueKey } from './filters.ts';

export type Connection = 'connecting' | 'live' | 'off';

/** Filters that the stream supports. Other filters are checked here. */
const STREAMED = (
  ['rule', 'severity', 'hostname', 'procname', 'executable', 'parent', 'unit', 'container', 'pod'] as const
).flatMap((name): ValueKey[] => [name, `exclude.${name}`]);

/**
 * Receives new and updated detections. `onMissed`: the stream dropped some, so the list must be reloaded. `onLive`:
 * from now on, none is missed.
 */
export function useArrivals(
  filters: DetectionFilters,
  handlers: {
    readonly onDetection: (detection: Detection) => void;
    readonly onMissed: () => void;
    readonly onLive: () => void;
  },
): Connection {
  const [connection, setConnection] = useState<Connection>('connecting');
  const latest = useRef(handlers);
  latest.current = handlers;
  const wanted = JSON.stringify(Object.fromEntries(STREAMED.map((key) => [key, filters[key]])));
  useEffect(() => {
    return followEvents(
      (lastEventId) => addressOf('/api/detections/stream', { query: { ...JSON.parse(wanted), lastEventId } }),
      {
        kinds: ['detection', 'missed'],
        onEvent({ kind, data }) {
          if (kind === 'missed') latest.current.onMissed();
          else latest.current.onDetection(data as Detection);
        },
        onState(state) {
          setConnection(state === 'refused' ? 'off' : state);
          if (state === 'live') latest.current.onLive();
        },
      },
    );
  }, [wanted]);
  return connection;
}
