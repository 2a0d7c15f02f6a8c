import { queryOptions } from '@tanstack/react-query';
import { callForHeaders } from '../../api/client.ts';

export const detectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['detection', id],
    queryFn: async ({ signal }) => {
      const { value, headers } = await callForHeaders('get', '/api/detections/{id}', {
        path: { id },
        query: {},
        signal,
      });
      return { detection: value, etag: headers.get('etag') };
    },
  });
