import { setTimeout as pause } from 'node:timers/promises';
import type { Apply } from './fault.ts';

/** SIGKILL. The process is started again after a while; a killed primary of PostgreSQL may be replaced by its standby instead. */
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
