import { oneAtATime } from '#api/leases/one-at-a-time.ts';
import type { Database } from '#api/postgres/database.ts';
import { type AdmissionTarget, admitStarts } from './admissions.ts';
import type { VersionLimits } from './start-limits.ts';

export interface AdmissionLoopDeps {
  readonly database: Database;
  readonly versionLimits: VersionLimits;
  /** Runs work on the store. Logs a rejection; the next poll retries. */
  readonly attempt: (name: string, work: () => Promise<void>) => Promise<void>;
  readonly onAdmitted: () => void;
  /** Admits the next execution of a concurrency key of a caller. */
  readonly admitKey: (key: string) => Promise<void>;
}

/**
 * Creates a function that admits starts of workflows, one pass at a time per process. Requests for the same starts
 * during a pass are merged. Resolves when a pass that began after the request has ended.
 */
export function createAdmissionLoop({
  database,
  versionLimits,
  attempt,
  onAdmitted,
  admitKey,
}: AdmissionLoopDeps): (target: AdmissionTarget) => Promise<void> {
  const due = new Map<string, AdmissionTarget>();

  async function admit(target: AdmissionTarget): Promise<void> {
    for (let more = true; more; ) {
      const found = await admitStarts(database, versionLimits, target);
      if (found.admitted > 0) onAdmitted();
      for (const key of found.callerKeys) await admitKey(key);
      more = found.more;
    }
  }

  const loop = oneAtATime(async () => {
    for (const [key, target] of due) {
      due.delete(key);
      await attempt('admit starts', () => admit(target));
    }
  });

  return (target) => {
    due.set(JSON.stringify([target.workflowId, target.slotKey, target.rateKey]), target);
    return loop();
  };
}
