import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DETECTIONS, detectionList, isListOutdated } from '../../api/detection-list.ts';
import type { CursorPage } from '../../api/lists.ts';
import { defined } from '../../parts/defined.ts';
import { useKept } from '../../parts/list/kept-state.ts';
import type { Detection } from '../detection/detection-types.ts';
import { type DetectionFilters, detectionsQuery } from './filters.ts';
import type { ListView } from './list-view.ts';

type Pages = InfiniteData<CursorPage<Detection>>;

/** First elements of the query keys of detection counts. */
const COUNTS = ['detections-summary', 'detections-count', 'detection-groups'] as const;

/**
 * End of named time ranges. It is kept with the page, so that going back shows the same list. A reloaded list ends at
 * the current time.
 */
export function useOpenedAt(): number {
  const [opened] = useKept('detections opened at', () => ({ at: Date.now(), loaded: performance.timeOrigin }));
  return opened.loaded === performance.timeOrigin ? opened.at : Math.round(performance.timeOrigin);
}

/**
 * The filtered list. Updates replace rows in place, so that rows do not move while an analyst works on them. `still`:
 * keeps the list as another page loaded it, if it did.
 */
export function useDetectionList(
  filters: DetectionFilters,
  { sort, order }: ListView,
  openedAt: number,
  { still = false, enabled = true }: { readonly still?: boolean; readonly enabled?: boolean } = {},
) {
  const queries = useQueryClient();
  const asked = detectionsQuery(filters, openedAt);
  const query = { ...asked, ...defined({ sort, order }) };
  const asList = detectionList(query);
  const key = asList.queryKey;
  const list = useInfiniteQuery({
    ...asList,
    enabled,
    ...(still ? { staleTime: Number.POSITIVE_INFINITY, refetchOnMount: false } : {}),
  });
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);

  return {
    list,
    rows,
    /** API parameters for the filters. */
    asked,
    /** `asked` with the sort order. */
    query,
    /** Replaces the row of a detection. Returns false if the list does not contain it. */
    replace(now: Detection): boolean {
      const shown = queries.getQueryData<Pages>(key)?.pages.some(({ data }) => data.some(({ id }) => id === now.id));
      if (!shown) return false;
      queries.setQueryData<Pages>(key, (cached) => cached && mapRows(cached, (row) => (row.id === now.id ? now : row)));
      return true;
    },
    /** Refetches the counts of detections. */
    recount: () => Promise.all(COUNTS.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
    /** Refetches all displayed rows. */
    refresh: () => queries.invalidateQueries({ queryKey: [DETECTIONS] }),
    /**
     * Refetches the rows if they were requested long before the console could show them, because changes since then
     * were not received.
     */
    async refreshOutdated(): Promise<void> {
      if (isListOutdated(query)) await list.refetch();
    },
    /** Refetches the first page. */
    async reload(): Promise<void> {
      queries.setQueryData<Pages>(
        key,
        (cached) => cached && { pages: cached.pages.slice(0, 1), pageParams: cached.pageParams.slice(0, 1) },
      );
      await Promise.all([DETECTIONS, ...COUNTS].map((name) => queries.invalidateQueries({ queryKey: [name] })));
    },
  };
}

/** Replaces the row of a detection in every cached list. */
export function replaceInLists(queries: QueryClient, now: Detection): void {
  queries.setQueriesData<Pages>({ queryKey: [DETECTIONS] }, (cached) =>
    cached?.pages === undefined ? cached : mapRows(cached, (row) => (row.id === now.id ? { ...row, ...now } : row)),
  );
}

function mapRows(list: Pages, map: (row: Detection) => Detection): Pages {
  return { ...list, pages: list.pages.map((page) => ({ ...page, data: page.data.map(map) })) };
}
