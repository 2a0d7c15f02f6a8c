import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';

/** Migrations of a new database take seconds. Shorter ones log only their end. */
const EVERY_MS = 2_000;

/**
 * Logs the percentage of completed migrations at start, at most every two seconds. `message` is a constant phrase such
 * as `migrating PostgreSQL`.
 */
export function createMigrationProgress(
  log: Pick<PipelineLog, 'info'>,
  message: string,
  now: () => number = () => performance.now(),
): (done: number, total: number) => void {
  let loggedAt = now();
  return (done, total) => {
    const at = now();
    if (done >= total || at - loggedAt < EVERY_MS) return;
    loggedAt = at;
    log.info({ percent: Math.floor((100 * done) / total), done, total }, message);
  };
}
