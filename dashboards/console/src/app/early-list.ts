import type { QueryClient } from '@tanstack/react-query';
import { detectionList, isListAskedEarly } from '../api/detection-list.ts';

/** Longest time that the frame of the page waits for the list, ms. */
const MAX_WAIT_MS = 300;

/** Takes the list of detections that was asked for while the console was loaded, so that its rows belong to what is drawn first. */
export async function takeEarlyList(queries: QueryClient): Promise<void> {
  if (!isListAskedEarly({})) return;
  const tooLong = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS));
  await Promise.race([queries.prefetchInfiniteQuery(detectionList({})), tooLong]);
}
