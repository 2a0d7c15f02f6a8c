import type { Readable } from 'node:stream';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { deleteContents, lockUnreferencedContents, touchContent } from '../tables/file-contents.ts';
import type { ByteSource, FileStore } from './port.ts';
import { keepBeginning, storedType } from './stored-type.ts';

/** A stored content. It is deleted if no row refers to it within an hour. */
export interface StoredContent {
  readonly contentHash: string;
  /** Size in bytes. */
  readonly size: number;
  /** Derived from the content; see `storedType`. */
  readonly contentType: string;
}

/** Contents of files. Each has a record in PostgreSQL, which is used to delete unreferenced contents. */
export interface Contents {
  /** Stores a content. `claimedType` is the content type that the sender declares. Rejects with `FileTooLarge`. */
  put(source: ByteSource, maxBytes: number, claimedType?: string): Promise<StoredContent>;
  putBytes(bytes: Uint8Array, claimedType?: string): Promise<StoredContent>;
  /** Rejects if the store has lost a content that a row refers to. */
  read(hash: string): Promise<Readable>;
  /** Reads a whole content into memory. Use it only for small contents. */
  readBytes(hash: string): Promise<Buffer>;
  /**
   * Deletes unreferenced contents older than this age. Resolves to their number. Safe to run concurrently with all
   * other calls, in any process.
   */
  deleteUnreferenced(olderThanMs?: number): Promise<number>;
}

const HOUR_MS = 3_600_000;
const BATCH = 500;

export function createContents({
  database,
  store,
}: {
  readonly database: Database;
  readonly store: FileStore;
}): Contents {
  const contents: Contents = {
    async put(given, maxBytes, claimedType = '') {
      const { source, beginning } = keepBeginning(given);
      const staged = await store.stage(source, { maxBytes });
      try {
        // The record is written before the bytes. A deletion locks the record, so it either ran before, or sees that
        // the record is recent.
        await touchContent(database, staged.hash, staged.size);
        await staged.keep();
      } finally {
        await staged.discard();
      }
      const contentType = await storedType(beginning(), claimedType);
      return { contentHash: staged.hash, size: staged.size, contentType };
    },
    putBytes: (bytes, claimedType) => contents.put([bytes], bytes.length, claimedType),
    async read(hash) {
      const stream = await store.read(hash);
      if (stream === undefined) throw new Error('the file store has lost a content');
      return stream;
    },
    async readBytes(hash) {
      const chunks: Buffer[] = [];
      for await (const chunk of await contents.read(hash)) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    async deleteUnreferenced(olderThanMs = HOUR_MS) {
      let deleted = 0;
      for (;;) {
        const count = await inTransaction(database, async (transaction) => {
          const hashes = await lockUnreferencedContents(transaction, olderThanMs, BATCH);
          await store.delete(hashes);
          await deleteContents(transaction, hashes);
          return hashes.length;
        });
        deleted += count;
        if (count < BATCH) return deleted;
      }
    },
  };
  return contents;
}
