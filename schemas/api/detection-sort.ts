/** What the list of detections is sorted by. */
export const DETECTION_SORTS = ['lastSeen', 'severity', 'crashes', 'host', 'risk'] as const;
export type DetectionSort = (typeof DETECTION_SORTS)[number];
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Direction of a list without one: names from A on, everything else from the highest on. */
export const DEFAULT_ORDERS: Readonly<Record<DetectionSort, SortOrder>> = {
  lastSeen: 'desc',
  severity: 'desc',
  crashes: 'desc',
  host: 'asc',
  risk: 'desc',
};

/** What detections can be grouped by: the names of the filters that choose a group. */
export const DETECTION_GROUPINGS = ['procname', 'hostname', 'rule', 'campaign'] as const;
export type DetectionGrouping = (typeof DETECTION_GROUPINGS)[number];
