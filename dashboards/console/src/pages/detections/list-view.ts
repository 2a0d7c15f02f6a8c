import {
  DEFAULT_ORDERS,
  DETECTION_GROUPINGS,
  DETECTION_SORTS,
  type DetectionGrouping,
  type DetectionSort,
  SORT_ORDERS,
  type SortOrder,
} from '#schemas/api/detection-sort.ts';
import { defined } from '../../parts/defined.ts';
import { choiceParam } from '../../parts/search-params.ts';
import { type DetectionFilters, readDetectionFilters } from './filters.ts';

/** Sort order and grouping of the list. */
export interface ListView {
  /** Default: by latest evidence. */
  readonly sort?: DetectionSort | undefined;
  readonly order?: SortOrder | undefined;
  /** Default: a list without groups. */
  readonly group?: DetectionGrouping | undefined;
}

/** All search parameters of the list. */
export type DetectionSearch = DetectionFilters & ListView;

export function readDetectionSearch(search: Readonly<Record<string, unknown>>): DetectionSearch {
  return { ...readDetectionFilters(search), ...readListView(search) };
}

function readListView(search: Readonly<Record<string, unknown>>): ListView {
  return defined({
    sort: choiceParam(search.sort, DETECTION_SORTS),
    order: choiceParam(search.order, SORT_ORDERS),
    group: choiceParam(search.group, DETECTION_GROUPINGS),
  });
}

/** Splits search parameters into filters and view. */
export function splitSearch({ sort, order, group, ...filters }: DetectionSearch): {
  readonly filters: DetectionFilters;
  readonly view: ListView;
} {
  return { filters, view: defined({ sort, order, group }) };
}

/** Returns the sort direction of a list. */
export function orderOf({ sort = 'lastSeen', order = DEFAULT_ORDERS[sort] }: ListView): SortOrder {
  return order;
}

/**
 * Returns the view after a click on a column header: sorted by the column, or reversed if it was already sorted by it.
 */
export function sortedBy(view: ListView, sort: DetectionSort): ListView {
  const isSame = (view.sort ?? 'lastSeen') === sort;
  const order = isSame ? (orderOf(view) === 'asc' ? 'desc' : 'asc') : DEFAULT_ORDERS[sort];
  const plain = {
    sort: sort === 'lastSeen' ? undefined : sort,
    order: order === DEFAULT_ORDERS[sort] ? undefined : order,
  };
  return { ...view, ...plain };
}
