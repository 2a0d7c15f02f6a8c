import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { claimNamedSeat, claimSeat } from './instance.ts';
import type { Lifecycle } from './lifecycle.ts';

/**
 * Claims the persistent name of one of several processes of a role: TRAPLINE_SEAT, or else the first free seat of the
 * data directory. Undefined if neither is available. A process that restarts under its name keeps its partitions and
 * its local lane.
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

/**
 * Returns a name for the lifetime of one process. Random, because process ids, and even host names, repeat among
 * containers.
 */
export function passingSeat(role: 'api'): string {
  return `${role}-${randomBytes(6).toString('hex')}`;
}
