/** Keeps what is too large for a row of the database. */
export interface PayloadStore {
  /** Resolves to the reference the row is to hold. `name` says what it is, such as `exec_…/input`: each name has contents of its own. */
  put(name: string, bytes: Uint8Array): Promise<string>;
  /** Rejects when it does not exist. */
  get(reference: string): Promise<Uint8Array>;
  /** The same in parts, for what is passed on unread. */
  read(reference: string): AsyncIterable<Uint8Array>;
  /** Those that are not there are gone already. */
  delete(references: readonly string[]): Promise<void>;
}

/** Larger than that (JSON, bytes) is kept as a file. */
export const INLINE_BYTES = 256 * 1024;
/** A larger payload is refused: the run fails and says what was too large. */
export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
