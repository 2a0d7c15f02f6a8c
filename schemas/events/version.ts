/** One version of the event format. A new version is one file like `v1.ts` and one line in `registry.ts`. */
export interface EventVersion {
  /** The exact value of the `version` field. */
  readonly version: string;
  /** JSON Schema of the whole event, wrapper included. */
  readonly schema: object;
}
