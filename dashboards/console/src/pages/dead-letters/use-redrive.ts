import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Body, call } from '../../api/client.ts';
import { NOTHING_YET, type RedriveTally, tallied } from './redrive-tally.ts';

export type Selection = Body<'post', '/api/dead-letters/redrive'>;

/** So many go in one request: few enough to see it move, enough to stay below the limit of requests. */
const AT_ONCE = 250;

/** How far a redrive is. `waiting`: it stopped, and `goOn` takes it further. */
export interface RedriveProgress {
  readonly tally: RedriveTally;
  readonly state: 'running' | 'waiting' | 'done';
  /** Why it waits; undefined: somebody stopped it, or the service had no room. */
  readonly error?: unknown;
}

/** Sends dead letters through again, page by page until there are no more, and tells how far it is. */
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
        const body = selection.ids === undefined ? { ...selection, limit: AT_ONCE, ...page } : selection;
        const { results, nextCursor } = await call('post', '/api/dead-letters/redrive', { body });
        full = selection.ids === undefined && results.some(({ outcome }) => outcome === 'queue_full');
        // Where the service had no room the page is sent once more: what went through is not open any more then, all else is counted then.
        const settled = full ? results.filter(({ outcome }) => outcome === 'accepted') : results;
        current.tally = tallied(current.tally, settled);
        if (!full) current.cursor = nextCursor;
      } while (!full && !current.stopped && current.cursor !== null);
      show(full || current.cursor !== null ? 'waiting' : 'done');
    } catch (error) {
      show('waiting', error);
    }
    // The marks of a redrive are read with the list, so all of it may have changed.
    await queries.invalidateQueries({ queryKey: ['dead-letters'] });
  }

  return {
    progress,
    begin(selection: Selection): void {
      run.current = { selection, tally: NOTHING_YET, cursor: null, stopped: false };
      void advance();
    },
    /** After the page that is under way. */
    stop(): void {
      if (run.current !== undefined) run.current.stopped = true;
    },
    goOn: () => void advance(),
    close(): void {
      if (run.current !== undefined) run.current.stopped = true;
      run.current = undefined;
      setProgress(undefined);
    },
  };
}
