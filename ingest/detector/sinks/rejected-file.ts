import { appendFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { SpooledBatch } from './spool-record.ts';

/**
 * Appends rejected events of a batch to a file, one per line, for later analysis. `positions` selects them. Returns
 * false if the file has reached its limit.
 */
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
