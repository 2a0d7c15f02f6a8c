/** For a menu of a row, which is cut off at its edge: it opens in the page, which is a landmark. */
export const OUTSIDE_ROW = { withinPortal: true, portalProps: { target: '#main' } } as const;

/** Lists whose filters can have the value, by their pages. On the page of a host it is the list of its programs; `here`: the list of this page. */
export type FilteredList =
  | '/detections'
  | '/events'
  | '/cases'
  | '/hosts'
  | '/hosts/$hostname'
  | '/executions'
  | '/dead-letters'
  | '/admin/audit-log'
  | '/admin/users'
  | '/workflows'
  | 'here';

/** What a value belongs to. */
export interface ValueSubject {
  readonly hostname?: string | null | undefined;
  readonly procname?: string | null | undefined;
  /** Times of the record, RFC 3339: related events are those between them. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The register whose value it is. */
  readonly register?: string | null | undefined;
}
