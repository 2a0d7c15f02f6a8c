import { setTimeout as pause } from 'node:timers/promises';
import type { Apply } from './fault.ts';

/** Drops the packets between two hosts, in both directions, for a while. */
export const cutNetwork: Apply = async ({ ms }, [one, other], { network }) => {
  if (one === undefined || other === undefined) return;
  await network.cut(one.host, other.host);
  await pause(ms);
  await network.heal(one.host, other.host);
  await Promise.all([one.serve(), other.serve()]);
};
