import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, call } from './client.ts';

const REFRESH_MS = 60_000;

/** Whether analysts may create exceptions, and what the user may do. */
export const exceptionPolicyQuery = queryOptions({
  queryKey: ['exception-policy'],
  queryFn: ({ signal }): Promise<Answer<'get', '/api/exceptions/policy'>> =>
    call('get', '/api/exceptions/policy', { signal }),
  staleTime: REFRESH_MS,
});

/** Number of exception requests that wait for a decision of the user. */
export const waitingRequestsQuery = queryOptions({
  queryKey: ['exception-requests', 'waiting'],
  queryFn: async ({ signal }) => {
    const { waiting } = await call('get', '/api/exception-requests', { query: { state: 'open', limit: 1 }, signal });
    return waiting;
  },
  staleTime: REFRESH_MS,
  refetchInterval: REFRESH_MS,
  retry: false,
});

/** Query keys of data that an exception changes: the exceptions, and the detections that it silences. */
const CHANGED_KEYS = [
  'exceptions',
  'exception-requests',
  'detection',
  'detection-history',
  'detections',
  'detections-summary',
];

/** Refetches what a new exception, or a request for one, has changed. */
export async function refreshExceptions(queries: QueryClient): Promise<void> {
  await Promise.all(CHANGED_KEYS.map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
