import { useQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import type { RANGES } from './search.ts';

export type DashboardName = 'system' | 'requests' | 'pipeline' | 'queue' | 'ips' | 'executions';
export type Range = (typeof RANGES)[number];

const HOUR_MS = 3_600_000;
const RANGE_MS: Readonly<Record<Range, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
};
/** Refresh interval. Each refresh sends six requests. */
const REFRESH_MS = 60_000;

/** Fetches the data of one panel for a time range that ends now, and refreshes it every minute. */
export function useDashboard<N extends DashboardName>(name: N, range: Range) {
  return useQuery({
    queryKey: ['dashboard', name, range],
    queryFn: ({ signal }): Promise<Answer<'get', `/api/dashboard/${N}`>> => {
      const query = { from: new Date(Date.now() - RANGE_MS[range]).toISOString() };
      return call('get', `/api/dashboard/${name}` as `/api/dashboard/${N}`, { signal, query } as never);
    },
    refetchInterval: REFRESH_MS,
    // Keeps the previous plot while the next range is loaded.
    placeholderData: (before) => before,
  });
}
