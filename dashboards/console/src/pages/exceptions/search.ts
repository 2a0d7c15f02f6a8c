export interface ExceptionsSearch {
  /** Also those that were taken away. */
  readonly ended?: 'true' | undefined;
}

/** What the form of a new exception begins with. */
export interface NewExceptionSearch {
  readonly hostname?: string | undefined;
  readonly program?: string | undefined;
  readonly file?: string | undefined;
  readonly rule?: string | undefined;
}
