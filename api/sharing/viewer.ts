/** The caller of a query: administrators see everything; users see what they own and what is shared with them. */
export interface Viewer {
  /** Undefined: the operator. */
  readonly userId: string | undefined;
  readonly administrator: boolean;
}
