import { setTimeout as delay } from 'node:timers/promises';

/** `wrong`: it will not work. `look`: it works, but something may be missing. */
export type CheckState = 'fine' | 'look' | 'wrong';

export interface Finding {
  readonly state: CheckState;
  /** What was found, e.g. a version. */
  readonly found: string;
  /** What to do about it; where the state is `fine`, nothing. */
  readonly advice?: string;
}

export interface CheckResult extends Finding {
  readonly check: string;
}

export interface Check {
  readonly name: string;
  /** Rejecting means `wrong`, with the error's message. */
  readonly run: () => Promise<Finding> | Finding;
  /** What to do when it rejects or does not answer. */
  readonly advice: string;
}

const PATIENCE_MS = 8_000;

/** Runs all checks at once; each answers within some seconds. */
export function runChecks(checks: readonly Check[], patienceMs = PATIENCE_MS): Promise<CheckResult[]> {
  return Promise.all(checks.map((check) => runCheck(check, patienceMs)));
}

async function runCheck({ name, run, advice }: Check, patienceMs: number): Promise<CheckResult> {
  const patience = new AbortController();
  try {
    const late = delay(patienceMs, undefined, { signal: patience.signal }).then((): Finding => {
      return { state: 'wrong', found: `no answer in ${patienceMs / 1000} s`, advice };
    });
    late.catch(() => {}); // aborted below
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
