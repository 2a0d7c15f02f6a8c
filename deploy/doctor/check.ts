import { setTimeout as delay } from 'node:timers/promises';

/** `wrong`: it will fail. `look`: it works, but should be reviewed. */
export type CheckState = 'fine' | 'look' | 'wrong';

export interface Finding {
  readonly state: CheckState;
  /** The observed state, e.g. a version. */
  readonly found: string;
  /** What to do about it; absent if the state is `fine`. */
  readonly advice?: string;
}

export interface CheckResult extends Finding {
  readonly check: string;
}

export interface Check {
  readonly name: string;
  /** Runs the check. A rejection counts as `wrong` with the error's message. */
  readonly run: () => Promise<Finding> | Finding;
  /** What to do if it rejects or times out. */
  readonly advice: string;
}

const PATIENCE_MS = 8_000;

/** Runs all checks concurrently, each with a timeout of `patienceMs`. */
export function runChecks(checks: readonly Check[], patienceMs = PATIENCE_MS): Promise<CheckResult[]> {
  return Promise.all(checks.map((check) => runCheck(check, patienceMs)));
}

async function runCheck({ name, run, advice }: Check, patienceMs: number): Promise<CheckResult> {
  const patience = new AbortController();
  try {
    const late = delay(patienceMs, undefined, { signal: patience.signal }).then((): Finding => {
      return { state: 'wrong', found: `no answer in ${patienceMs / 1000} s`, advice };
    });
    late.catch(() => {}); // Aborted below.
    return { check: name, ...(await Promise.race([run(), late])) };
  } catch (error) {
    return { check: name, state: 'wrong', found: error instanceof Error ? error.message : String(error), advice };
  } finally {
    patience.abort();
  }
}

export const fine = (found: string): Finding => ({ state: 'fine', found });
export const look = (found: string, advice: string): Finding => ({ state: 'look', found, advice });
export const wrong = (found: string, advice: string): Finding => ({ state: 'wrong', found, advice });
