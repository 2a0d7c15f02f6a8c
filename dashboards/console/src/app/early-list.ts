import type { QueryClient } from '@tanstack/react-query';
import { detectionList, isListAskedEarly } from '../api/detection-list.ts';

/** Maximum time for which the page frame waits for the list, ms. */
const MAX_WAIT_MS = 300;

/**
 * Takes the list of detections that was requested while the console was loaded, so that its rows are part of the first
 * render.
 */
export async function takeEarlyList(queries: QueryClient): Promise<void> {
  if (!isListAskedEarly({})) return;
  const tooLong = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  await Promise.race([queries.prefetchInfiniteQuery(detectionList({})), tooLong]);
}
