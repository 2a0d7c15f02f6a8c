/**
 * Facts about a crashed process, sent as the additional field `process` of its event. A member is absent if it could
 * not be read before the process was gone, because an absent value is better than a wrong one.
 */
export interface ProcessFacts {
  /** Path of the executable in the mount namespace of the process. */
  readonly executable?: string;
  /** GNU build id of the executable, hexadecimal. */
  readonly build_id?: string;
  /** Real user id, in the initial user namespace. */
  readonly uid?: number;
  readonly parent?: { readonly pid: number; readonly name?: string; readonly executable?: string };
  /** Innermost systemd unit. */
  readonly unit?: string;
  readonly container?: { readonly id: string; readonly runtime?: string };
  /** Kubernetes pod. */
  readonly pod?: { readonly uid: string };
}
