import { appendFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { SpooledBatch } from './spool-record.ts';

/** Appends the events of refused batches, one per line, for a later analysis; false when the file has reached its limit. */
export async function keepRejected(path: string, batch: SpooledBatch, maxBytes: number): Promise<boolean> {
  const text = gunzipSync(batch.body);
  if ((await sizeOf(path)) + text.length > maxBytes) return false;
  await appendFile(path, text, { mode: 0o600 });
  return true;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
