import { useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { waitingRequestsQuery } from '../api/exceptions.ts';
import { may, type Profile } from '../api/session.ts';
import { countedEnds } from '../parts/time-range.ts';

/** How much waits for the user in a section. */
export interface WaitingCount {
  readonly count: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** Users behind one address share its limit of requests: these are three each time. */
const REFRESH_MS = 120_000;
/** The API counts no further. */
const MAX_WAITS = 100;

/**
 * What waits for the user, by the path of its section: open detections of the last year, executions that wait for a decision of the user, dead letters that no
 * retry has accepted, requests for exceptions that an administrator may decide. Asked for every two minutes while the window is visible, and after changes in
 * the lists, whose keys in the cache they share; a count that cannot be read is left out.
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
    // One is enough to say that there are some: each has its whole payload with it.
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

/** Counts the records of the first page of a list. */
export function countOf(page: { readonly data: readonly unknown[]; readonly nextCursor: string | null }): WaitingCount {
  return { count: page.data.length, more: page.nextCursor !== null };
}
