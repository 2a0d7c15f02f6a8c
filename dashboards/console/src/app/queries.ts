import { QueryCache, QueryClient } from '@tanstack/react-query';
import { answers } from '../api/answers.ts';
import { Failure } from '../api/failure.ts';
import { createServerWatch } from './server-watch.ts';

const TRIES = 3;

/** Raised on the window when a server that did not respond does so again. */
export const SERVER_BACK = 'trapline:server-back';

export const serverWatch = createServerWatch({ answers, onBack: () => dispatchEvent(new Event(SERVER_BACK)) });

/**
 * Cache of all pages. Retries transient failures, not rejected requests. Ignores the offline state of the browser: Trapline can run on the
 * same machine, and an unreachable server is reported as an error instead of waiting silently. What failed for that reason is fetched again when the
 * server responds.
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

// A session that has ended leads to the sign-in page by the guard of the signed-in routes.
addEventListener('trapline:signed-out', () => queries.setQueryData(['session'], null));
addEventListener(
  SERVER_BACK,
  () => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => passes(state.error) }),
);
