import type { Readable } from 'node:stream';

/**
 * Stores contents of files, each once, under its SHA-256, in a folder or a store with the S3 protocol. Names and permissions are in `contents.ts`.
 */
export interface FileStore {
  /**
   * Takes a content in two steps: read to its end and hashed, then kept. In between it cannot be read. Rejects with `FileTooLarge` past
   * `maxBytes`, or with what the source rejects with, and leaves nothing behind then.
   */
  stage(source: ByteSource, limits: { readonly maxBytes: number }): Promise<StagedFile>;
  /** The bytes of a content; undefined when it does not exist. Destroy the stream when it is not read to its end. */
  read(hash: string): Promise<Readable | undefined>;
  /** Contents that do not exist are ignored. */
  delete(hashes: readonly string[]): Promise<void>;
  /** Frees connections. Idempotent. */
  close(): Promise<void>;
}

export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Ends with `keep` or `discard`; the latter after the former does nothing. */
export interface StagedFile {
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Makes it readable. A content that exists already stays as it is. */
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/** A content is larger than it may be. */
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
