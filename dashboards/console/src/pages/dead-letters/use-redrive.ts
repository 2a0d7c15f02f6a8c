import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Body, call } from '../../api/client.ts';
import { EMPTY_TALLY, type RedriveTally, tallied } from './redrive-tally.ts';

export type Selection = Body<'post', '/api/dead-letters/redrive'>;

/** Dead letters per request: small enough to show progress, and large enough to stay below the rate limit. */
const BATCH_SIZE = 250;

/** Progress of a redrive. `waiting`: it has stopped, and `resume` continues it. */
export interface RedriveProgress {
  readonly tally: RedriveTally;
  readonly state: 'running' | 'waiting' | 'done';
  /** Error that stopped it. Undefined if the user stopped it or the service's queue was full. */
  readonly error?: unknown;
}

/** Retries dead letters page by page and reports the progress. */
export function useRedrive() {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<RedriveProgress>();
  const run = useRef<{ selection: Selection; tally: RedriveTally; cursor: string | null; stopped: boolean }>(undefined);

  async function advance(): Promise<void> {
    const current = run.current;
    if (current === undefined) return;
    current.stopped = false;
    const show = (state: RedriveProgress['state'], error?: unknown) => {
      if (run.current === current) setProgress({ tally: current.tally, state, error });
    };
    let full = false;
    try {
      do {
        show('running');
        const { selection, cursor } = current;
        const page = cursor === null ? {} : { cursor };
        const body = selection.ids === undefined ? { ...selection, limit: BATCH_SIZE, ...page } : selection;
        const { results, nextCursor } = await call('post', '/api/dead-letters/redrive', { body });
        full = selection.ids === undefined && results.some(({ outcome }) => outcome === 'queue_full');
        // If the queue was full, the page is sent again. Accepted records are then no longer open, and all others are
        // counted in the second request.
        const settled = full ? results.filter(({ outcome }) => outcome === 'accepted') : results;
        current.tally = tallied(current.tally, settled);
        if (!full) current.cursor = nextCursor;
      } while (!full && !current.stopped && current.cursor !== null);
      show(full || current.cursor !== null ? 'waiting' : 'done');
    } catch (error) {
      show('waiting', error);
    }
    // The list contains the state of each dead letter, so every page may have changed.
    await queries.invalidateQueries({ queryKey: ['dead-letters'] });
  }

  return {
    progress,
    begin(selection: Selection): void {
      run.current = { selection, tally: EMPTY_TALLY, cursor: null, stopped: false };
      void advance();
    },
    /** Stops after the current page. */
    stop(): void {
      if (run.current !== undefined) run.current.stopped = true;
    },
    resume: () => void advance(),
    close(): void {
      if (run.current !== undefined) run.current.stopped = true;
      run.current = undefined;
      setProgress(undefined);
    },
  };
}
