import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { waitingRequestsQuery } from '../api/exceptions.ts';
import { may, type Profile } from '../api/session.ts';
import { countedEnds } from '../parts/time/time-range.ts';

/** Number of items that wait for the user in a section. */
export interface WaitingCount {
  readonly count: number;
  /** True if there are more than were counted. */
  readonly more: boolean;
}

/** Refresh interval. Users behind one address share its request limit, and each refresh sends three requests. */
const REFRESH_MS = 120_000;
/** Maximum count of the API. */
const MAX_WAITS = 100;

/**
 * Returns the number of items that wait for the user, by section path. These are open detections of the last year, and
 * executions that wait for a decision of the user. They are also dead letters that no retry has accepted, and exception
 * requests that an administrator may decide. Refreshed every two minutes while the window is visible, and after changes
 * in the lists, whose cache keys it shares. Omits a count that cannot be read.
 */
export function useWaitingCounts(profile: Profile): Readonly<Record<string, WaitingCount>> {
  const often = { refetchInterval: REFRESH_MS, staleTime: REFRESH_MS, retry: false } as const;
  const analyst = may(profile, 'analyst');
  const detections = useQuery({
    ...often,
    queryKey: ['detections-summary', 'waiting'],
    enabled: analyst,
    queryFn: async ({ signal }): Promise<WaitingCount> => {
      const query = countedEnds({}, '365d', Date.now());
      const { open } = await call('get', '/api/detections/summary', { query, signal });
      return { count: open, more: false };
    },
  });
  const approvals = useQuery({
    ...often,
    queryKey: ['waits', 'count'],
    queryFn: async ({ signal }): Promise<WaitingCount> => {
      const { count } = await call('get', '/api/v1/waits/count', { signal });
      return { count, more: count === MAX_WAITS };
    },
  });
  const letters = useQuery({
    ...often,
    queryKey: ['dead-letters', 'count'],
    enabled: analyst,
    // Requests one item, which suffices to show that there are some. Each item contains its whole payload.
    queryFn: async ({ signal }) =>
      countOf(await call('get', '/api/dead-letters', { query: { limit: 1, status: 'open' }, signal })),
  });
  const requests = useQuery({ ...waitingRequestsQuery, ...often, enabled: may(profile, 'admin') });
  return Object.fromEntries(
    (
      [
        ['/detections', detections.data],
        ['/approvals', approvals.data],
        ['/dead-letters', letters.data],
        ['/exceptions', requests.data === undefined ? undefined : { count: requests.data, more: false }],
      ] as const
    ).flatMap(([path, found]) => (found === undefined || found.count === 0 ? [] : [[path, found]])),
  );
}

/** Counts the records on the first page of a list. */
export function countOf(page: { readonly data: readonly unknown[]; readonly nextCursor: string | null }): WaitingCount {
  return { count: page.data.length, more: page.nextCursor !== null };
}
