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

/** The filtered list. Updates replace rows in place, so that rows do not move while an analyst works on them. */
export function useDetectionList(filters: DetectionFilters) {
  const queries = useQueryClient();
  /** Stored with the page: going back shows the same list. */
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
    /** Replaces the row of a detection; false when the list does not contain it. */
    replace(now: Detection): boolean {
      const shown = queries.getQueryData<Pages>(key)?.pages.some(({ data }) => data.some(({ id }) => id === now.id));
      if (!shown) return false;
      queries.setQueryData<Pages>(key, (cached) => cached && mapRows(cached, (row) => (row.id === now.id ? now : row)));
      return true;
    },
    /** Loads the first page again. */
    async reload(): Promise<void> {
      queries.setQueryData<Pages>(
        key,
        (cached) => cached && { pages: cached.pages.slice(0, 1), pageParams: cached.pageParams.slice(0, 1) },
      );
      await Promise.all([
        queries.invalidateQueries({ queryKey: [KEY] }),
        queries.invalidateQueries({ queryKey: ['detections-summary'] }),
      ]);
    },
  };
}

function mapRows(list: Pages, map: (row: Detection) => Detection): Pages {
  return { ...list, pages: list.pages.map((page) => ({ ...page, data: page.data.map(map) })) };
}
