import { appendFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { SpooledBatch } from './spool-record.ts';

/** Appends refused events of a batch, one per line, for a later analysis; false when the file has reached its limit. `positions`: which of them. */
export async function keepRejected(
  path: string,
  batch: SpooledBatch,
  positions: readonly number[] | 'all',
  maxBytes: number,
): Promise<boolean> {
  const text = selected(gunzipSync(batch.body), positions);
  if ((await sizeOf(path)) + text.length > maxBytes) return false;
  await appendFile(path, text, { mode: 0o600 });
  return true;
}

function selected(events: Buffer, positions: readonly number[] | 'all'): Buffer {
  if (positions === 'all') return events;
  const lines = events.toString('utf8').split('\n');
  return Buffer.from(positions.map((position) => `${lines[position]}\n`).join(''));
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
