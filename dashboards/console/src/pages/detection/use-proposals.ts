import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { DETECTION_TEXT } from './text.ts';

export type Proposal = Answer<'get', '/api/detections/{id}/proposals'>['data'][number];

/**
 * The open proposals for a detection, and functions to accept or decline them. `etag`: that of the decision shown to
 * the analyst.
 */
export function useProposals(id: string, etag: string | null) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { data } = useQuery({
    queryKey: ['detection-proposals', id],
    queryFn: ({ signal }) =>
      call('get', '/api/detections/{id}/proposals', { path: { id }, query: { state: 'open' }, signal }),
  });

  async function decide(action: () => Promise<unknown>, done: string): Promise<void> {
    setBusy(true);
    try {
      await action();
      showDone(done);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
      await Promise.all(
        [['detection-proposals', id], ['detection', id], ['detection-history', id], ['detections']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
    }
  }

  return {
    open: data?.data ?? [],
    busy,
    accept: ({ id: proposal }: Proposal) =>
      decide(
        () =>
          call('post', '/api/detections/{id}/proposals/{proposal}/accept', {
            path: { id, proposal },
            headers: etag === null ? {} : { 'if-match': etag },
          }),
        DETECTION_TEXT.proposals.accepted,
      ),
    decline: ({ id: proposal }: Proposal) =>
      decide(
        () => call('post', '/api/detections/{id}/proposals/{proposal}/decline', { path: { id, proposal } }),
        DETECTION_TEXT.proposals.declined,
      ),
  };
}
