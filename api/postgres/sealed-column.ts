/**
 * A column whose values are encrypted with AUTH_SECRET. The subject that stores the values declares it.
 * `deploy/sealed-columns.ts` lists all columns, so that the values can be encrypted again when the secret changes.
 */
export interface SealedColumn {
  /** Name of the values for people, in the plural. */
  readonly values: string;
  readonly table: string;
  readonly column: string;
  /** Columns that identify a row. */
  readonly key: readonly [string, ...string[]];
  /** Returns the context under which the value of a row is encrypted, from the values of `key`. */
  contextOf(key: readonly string[]): string;
}
