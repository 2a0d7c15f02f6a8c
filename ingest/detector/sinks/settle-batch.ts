import { join } from 'node:path';
import type { DetectorLog } from '../log.ts';
import { keepRejected } from './rejected-file.ts';
import type { Settled } from './send-until-settled.ts';
import type { SpooledBatch } from './spool-record.ts';

export interface SettleOptions {
  readonly stats: { sent: number; refused: number };
  /** Directory for rejected events; if null, they are not kept. */
  readonly directory: string | null;
  /** Maximum size of the file of rejected events. */
  readonly maxBytes: number;
  readonly log: DetectorLog;
}

/** Counts the result of a batch. Logs rejections, and stores the events that the receiver does not keep. */
export async function settleBatch(batch: SpooledBatch, result: Settled, options: SettleOptions): Promise<void> {
  const { stats, directory, maxBytes, log } = options;
  const keep = async (positions: readonly number[] | 'all'): Promise<boolean> =>
    directory !== null && (await keepRejected(join(directory, 'rejected.ndjson'), batch, positions, maxBytes));
  if (result.outcome === 'refused') {
    stats.refused += batch.events;
    const { status, reason } = result;
    log('error', { status, reason, events: batch.events, kept: await keep('all') }, 'the receiver refused a batch');
    return;
  }
  const { total, unkept, reason } = result.rejected;
  stats.sent += batch.events - total;
  stats.refused += total;
  if (total === 0) return;
  if (unkept.length === 0) log('warn', { rejected: total, reason }, 'the receiver found events invalid');
  else log('error', { rejected: total, reason, kept: await keep(unkept) }, 'the receiver refused events');
}
