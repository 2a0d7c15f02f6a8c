import { QueryClient } from '@tanstack/react-query';
import { Failure } from '../api/failure.ts';

const TRIES = 3;

/**
 * Cache of all pages. Retries transient failures, not rejected requests. Ignores the offline state of the browser: Trapline can run on the
 * same machine, and an unreachable server is reported as an error instead of waiting silently.
 */
export const queries = new QueryClient({
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
