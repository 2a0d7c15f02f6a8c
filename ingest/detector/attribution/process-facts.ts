/**
 * What is known of a process that crashed, as the additional field `process` of its event. Every member is absent where it could not be
 * read before the process was gone: absent rather than wrong.
 */
export interface ProcessFacts {
  /** Path of the executable in the mount namespace of the process. */
  readonly executable?: string;
  /** GNU build id of the executable, hexadecimal. */
  readonly build_id?: string;
  /** Real user id, as the initial user namespace numbers it. */
  readonly uid?: number;
  readonly parent?: { readonly pid: number; readonly name?: string; readonly executable?: string };
  /** Innermost unit of systemd. */
  readonly unit?: string;
  readonly container?: { readonly id: string; readonly runtime?: string };
  /** Kubernetes pod. */
  readonly pod?: { readonly uid: string };
}
