import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** The providers that people may sign in with, and whether they may make an account; undefined until it is known. */
export function useWaysIn() {
  return useQuery({
    queryKey: ['ways-in'],
    queryFn: ({ signal }) => call('get', '/api/auth/providers', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
