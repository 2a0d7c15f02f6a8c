import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** The identity providers for sign-in, and whether registration is open; undefined until loaded. */
export function useWaysIn() {
  return useQuery({
    queryKey: ['ways-in'],
    queryFn: ({ signal }) => call('get', '/api/auth/providers', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
