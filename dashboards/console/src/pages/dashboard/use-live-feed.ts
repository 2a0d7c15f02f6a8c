import { useEffect, useReducer, useState } from 'react';
import type { FeedLine } from './feed-line.ts';
import { feedLine } from './feed-line.ts';
import { addLines, type FeedLines, NO_LINES, resume } from './feed-lines.ts';

export type FeedState = 'connecting' | 'live' | 'disconnected';

type Action =
  | { readonly do: 'add'; readonly arrived: readonly FeedLine[] }
  | { readonly do: 'pause' | 'resume' | 'clear' };
interface State {
  readonly lines: FeedLines;
  readonly paused: boolean;
}

/** Interval of rendering, ms. Rendering each message separately would overload the browser. */
const DRAW_MS = 250;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

function reduce({ lines, paused }: State, action: Action): State {
  if (action.do === 'add') return { lines: addLines(lines, action.arrived, paused), paused };
  if (action.do === 'pause') return { lines, paused: true };
  if (action.do === 'resume') return { lines: resume(lines), paused: false };
  return { lines: NO_LINES, paused };
}

/** Returns the messages of the live feed while the component is mounted. Reconnects with exponential backoff. */
export function useLiveFeed() {
  const [state, dispatch] = useReducer(reduce, { lines: NO_LINES, paused: false });
  const [connection, setConnection] = useState<FeedState>('connecting');

  useEffect(() => {
    let socket: WebSocket | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let retryMs = FIRST_RETRY_MS;
    let number = 0;
    let arrived: FeedLine[] = [];
    const drawing = setInterval(() => {
      if (arrived.length === 0) return;
      dispatch({ do: 'add', arrived });
      arrived = [];
    }, DRAW_MS);

    function connect() {
      socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/socket`);
      socket.onopen = () => {
        retryMs = FIRST_RETRY_MS;
        setConnection('live');
      };
      socket.onmessage = ({ data }) => {
        number += 1;
        const line = feedLine(String(data), number);
        if (line !== undefined) arrived.push(line);
      };
      socket.onclose = () => {
        setConnection('disconnected');
        retry = setTimeout(connect, retryMs);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      };
    }

    connect();
    return () => {
      clearInterval(drawing);
      clearTimeout(retry);
      if (socket === undefined) return;
      socket.onclose = null;
      socket.close();
    };
  }, []);

  return { ...state, connection, dispatch };
}
