import type { Readable } from 'node:stream';

/**
 * Content-addressed file store: each content is stored once under its SHA-256, in a directory or an S3 bucket. Names
 * and permissions are in `contents.ts`.
 */
export interface FileStore {
  /**
   * Reads a content to its end and hashes it, without making it readable. `keep` then stores it. Rejects with
   * `FileTooLarge` above `maxBytes`, or with the error of the source. A rejected content leaves no data behind.
   */
  stage(source: ByteSource, limits: { readonly maxBytes: number }): Promise<StagedFile>;
  /**
   * Returns the bytes of a content, or undefined if it does not exist. The caller must destroy a stream that it does
   * not read to its end.
   */
  read(hash: string): Promise<Readable | undefined>;
  /** Ignores contents that do not exist. */
  delete(hashes: readonly string[]): Promise<void>;
  /** Closes connections. Idempotent. */
  close(): Promise<void>;
}

export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A content between `stage` and `keep` or `discard`. After `keep`, `discard` does nothing. */
export interface StagedFile {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** Size in bytes. */
  readonly size: number;
  /** Makes it readable. An existing content is not replaced. */
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/** Thrown for a content above its size limit. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`a file has at most ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** SHA-256 in lower-case hexadecimal. */
export const CONTENT_HASH = /^[0-9a-f]{64}$/;
