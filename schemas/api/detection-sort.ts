/** Sort keys of the list of detections. */
export const DETECTION_SORTS = ['lastSeen', 'severity', 'crashes', 'host', 'risk'] as const;
export type DetectionSort = (typeof DETECTION_SORTS)[number];
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

/** Default direction per sort key: names ascending, all others descending. */
export const DEFAULT_ORDERS: Readonly<Record<DetectionSort, SortOrder>> = {
  lastSeen: 'desc',
  severity: 'desc',
  crashes: 'desc',
  host: 'asc',
  risk: 'desc',
};

/** Group keys of detections. Each is also the name of the filter that selects a group. */
export const DETECTION_GROUPINGS = ['procname', 'hostname', 'rule', 'campaign'] as const;
export type DetectionGrouping = (typeof DETECTION_GROUPINGS)[number];
