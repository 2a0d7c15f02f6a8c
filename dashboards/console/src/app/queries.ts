import { QueryCache, QueryClient } from '@tanstack/react-query';
import { answers } from '../api/answers.ts';
import { STREAM_REFUSED } from '../api/event-stream.ts';
import { Failure } from '../api/failure.ts';
import { createServerWatch } from './server-watch.ts';

const TRIES = 3;

/** Dispatched on the window when an unreachable server responds again. */
export const SERVER_BACK = 'trapline:server-back';

export const serverWatch = createServerWatch({ answers, onBack: () => dispatchEvent(new Event(SERVER_BACK)) });

/**
 * Query cache of all pages. Retries transient failures, but not rejected requests. Ignores the browser's offline state:
 * Trapline can run on the same machine, and an unreachable server must be reported as an error. Queries that failed
 * because of it are refetched when the server responds.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (passes(error)) serverWatch.lost();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < TRIES && passes(error),
      retryDelay: (failures, error) =>
        (error instanceof Failure ? error.retryAfterMs : undefined) ?? Math.min(1_000 * 2 ** failures, 10_000),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

function passes(error: unknown): boolean {
  return error instanceof Failure && (error.status === 0 || error.status === 502 || error.status === 503);
}

// After a session has ended, the guard of the signed-in routes redirects to the sign-in page.
addEventListener('trapline:signed-out', () => queries.setQueryData(['session'], null));
// The session may have ended elsewhere.
addEventListener(STREAM_REFUSED, () => void queries.refetchQueries({ queryKey: ['session'] }));
addEventListener(
  SERVER_BACK,
  () => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => passes(state.error) }),
);
