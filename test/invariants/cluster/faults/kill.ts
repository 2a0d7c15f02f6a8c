import { setTimeout as pause } from 'node:timers/promises';
import type { Apply } from './fault.ts';

/**
 * Sends SIGKILL and restarts the process after a while. For a killed PostgreSQL primary, the standby may be promoted
 * instead.
 */
export const kill: Apply = async ({ ms, failOver }, [actor], installation) => {
  if (actor === undefined) return;
  if (failOver && installation.isPrimary(actor)) {
    await installation.failOver();
    return;
  }
  await actor.kill9();
  await pause(ms);
  await actor.serve();
};
