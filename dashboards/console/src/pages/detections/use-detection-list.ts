import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/client.ts';
import { type CursorPage, cursorList } from '../../api/lists.ts';
import { useKept } from '../../parts/kept-state.ts';
import type { Detection } from '../detection/detection-types.ts';
import { type DetectionFilters, detectionsQuery } from './filters.ts';

type Pages = InfiniteData<CursorPage<Detection>>;

const PAGE = 100;
const KEY = 'detections';

/** The list that the filters choose, and what is done to it in place: rows do not move under the hands of who works through them. */
export function useDetectionList(filters: DetectionFilters) {
  const queries = useQueryClient();
  /** Kept with the page, so that the list is the same one when it is opened again by going back. */
  const [openedAt] = useKept('detections opened at', () => Date.now());
  const asked = detectionsQuery(filters, openedAt);
  const key = [KEY, asked] as const;
  const list = useInfiniteQuery(
    cursorList<Detection>(key, (cursor, signal) =>
      call('get', '/api/detections', { query: { ...asked, limit: PAGE, ...(cursor && { cursor }) }, signal }),
    ),
  );
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);

  return {
    list,
    rows,
    asked,
    openedAt,
    /** Shows a detection as it is now, where it stands; false when it is not shown. */
    replace(now: Detection): boolean {
      const shown = queries.getQueryData<Pages>(key)?.pages.some(({ data }) => data.some(({ id }) => id === now.id));
      if (!shown) return false;
      queries.setQueryData<Pages>(key, (held) => held && mapRows(held, (row) => (row.id === now.id ? now : row)));
      return true;
    },
    /** Asks anew, from the newest on. */
    async reload(): Promise<void> {
      queries.setQueryData<Pages>(
        key,
        (held) => held && { pages: held.pages.slice(0, 1), pageParams: held.pageParams.slice(0, 1) },
      );
      await Promise.all([
        queries.invalidateQueries({ queryKey: [KEY] }),
        queries.invalidateQueries({ queryKey: ['detections-summary'] }),
      ]);
    },
  };
}

function mapRows(held: Pages, map: (row: Detection) => Detection): Pages {
  return { ...held, pages: held.pages.map((page) => ({ ...page, data: page.data.map(map) })) };
}
