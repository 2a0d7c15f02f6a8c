import { gzipSync } from 'node:zlib';
import { newBatchKey } from './batch-key.ts';
import type { SpooledBatch } from './spool-record.ts';

/**
 * Returns a batch without events. The receiver checks the key before the body, so the response shows whether the key
 * may write events.
 */
export function emptyBatch(): SpooledBatch {
  return { key: newBatchKey(), events: 0, body: gzipSync('') };
}
