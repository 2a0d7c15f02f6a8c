import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { claimNamedSeat, claimSeat } from './instance.ts';
import type { Lifecycle } from './lifecycle.ts';

/**
 * The lasting name of one of several processes of a role: TRAPLINE_SEAT, else the first free seat of the data directory. Undefined when neither is
 * available. A process that is started again under its name continues what it had: its partitions, its local lane.
 */
export function startSeat(
  { seat, dataDir }: Pick<Config, 'seat' | 'dataDir'>,
  role: 'api' | 'ingest',
  lifecycle: Lifecycle,
): Promise<string | undefined> {
  return lifecycle.start('seat', async () => {
    const claimed = seat === undefined ? await claimSeat(dataDir) : await claimNamedSeat(dataDir, role, seat);
    return claimed === undefined ? { value: undefined } : { value: claimed.id, stop: claimed.release };
  });
}

/** A name for the life of one process. Random: process ids, and even host names, repeat among containers. */
export function passingSeat(role: 'api'): string {
  return `${role}-${randomBytes(6).toString('hex')}`;
}
