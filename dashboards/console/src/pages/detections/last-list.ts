import type { DetectionFilters } from './filters.ts';
import type { ListView } from './list-view.ts';

/** The list that the analyst used last, for the pages of its detections. */
export interface LastList {
  readonly filters: DetectionFilters;
  readonly view: ListView;
  readonly openedAt: number;
  /** Key of the list's entry in the browser history. */
  readonly entry: string | undefined;
}

const STORED = 'trapline:last-detections';

/** Stores the list in the tab's session storage, so that it survives a reload. */
export function rememberList(list: LastList): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(list));
  } catch {
    // The browser blocks site data. Detection pages then have no neighbours.
  }
}

export function lastList(): LastList | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as LastList | null) ?? undefined;
  } catch {
    return undefined;
  }
}
