/** Stores values that are too large for a database row. */
export interface PayloadStore {
  /**
   * Stores a payload and resolves to the reference for the row. `name` identifies its use, such as `exec_…/input`:
   * payloads with different names never share a file.
   */
  put(name: string, bytes: Uint8Array): Promise<string>;
  /** Rejects if it does not exist. */
  get(reference: string): Promise<Uint8Array>;
  /** Streams a payload. */
  read(reference: string): AsyncIterable<Uint8Array>;
  /** Ignores payloads that do not exist. */
  delete(references: readonly string[]): Promise<void>;
}

/** Maximum JSON size in bytes of an inline value. Larger values are stored as files. */
export const INLINE_BYTES = 256 * 1024;
/** Maximum payload size. A larger one fails the run with an error that names it. */
export const MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;
