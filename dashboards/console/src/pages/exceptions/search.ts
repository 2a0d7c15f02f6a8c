export interface ExceptionsSearch {
  /** `true`: the list includes removed exceptions. */
  readonly ended?: 'true' | undefined;
  /** Open tab. Default: the exceptions. */
  readonly tab?: 'requests' | undefined;
  /** `all`: the list of requests includes decided ones. */
  readonly state?: 'all' | undefined;
}

/** Initial values of the form of a new exception. */
export interface NewExceptionSearch {
  readonly hostname?: string | undefined;
  readonly program?: string | undefined;
  readonly file?: string | undefined;
  readonly rule?: string | undefined;
}
