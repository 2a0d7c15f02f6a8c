import { type Answer, addressOf, call, type Query } from './client.ts';
import { isAskedEarly, isOutdated } from './early-answers.ts';
import { cursorList } from './lists.ts';

type Detection = Answer<'get', '/api/detections'>['data'][number];
/** Filters and order, without the page. */
export type ListQuery = Omit<Query<'get', '/api/detections'>, 'limit' | 'cursor'>;

const PAGE = 100;
/** First element of the query keys of all lists of detections. */
export const DETECTIONS = 'detections';

/** A list of detections. */
export function detectionList(query: ListQuery) {
  return cursorList<Detection>([DETECTIONS, query], (cursor, signal) =>
    call('get', '/api/detections', { query: { ...query, limit: PAGE, ...(cursor && { cursor }) }, signal }),
  );
}

/** Returns true if `early.js` requested the first page of the list, and it is not shown yet. */
export function isListAskedEarly(query: ListQuery): boolean {
  return isAskedEarly(firstPage(query));
}

/** Returns true, once, if the first page was requested long before the console could show it. */
export function isListOutdated(query: ListQuery): boolean {
  return isOutdated(firstPage(query));
}

function firstPage(query: ListQuery): string {
  return addressOf('/api/detections', { query: { ...query, limit: PAGE } });
}
