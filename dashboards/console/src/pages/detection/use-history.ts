import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** Fetches the decisions about a detection, newest first. */
export function useHistory(id: string) {
  return useQuery({
    queryKey: ['detection-history', id],
    queryFn: ({ signal }) =>
      call('get', '/api/detections/{id}/history', { path: { id }, query: { limit: 100 }, signal }),
  });
}
