/** For a menu in a row, which would be clipped at the row's edge: it opens in the page's main landmark. */
export const OUTSIDE_ROW = { withinPortal: true, portalProps: { target: '#main' } } as const;

/**
 * Lists that can filter by the value, by their pages. On a host page, it is the list of its programs. `here`: the list
 * of this page.
 */
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

/** The record to which a value belongs. */
export interface ValueSubject {
  readonly hostname?: string | null | undefined;
  readonly procname?: string | null | undefined;
  /** Time range of the record, RFC 3339. Related events are within it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The register that contains the value. */
  readonly register?: string | null | undefined;
}
