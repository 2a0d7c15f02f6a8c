import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** Fetches the identity providers, and whether registration is open. Undefined until loaded. */
export function useWaysIn() {
  return useQuery({
    queryKey: ['ways-in'],
    queryFn: ({ signal }) => call('get', '/api/auth/providers', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
