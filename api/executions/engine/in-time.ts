import { createContext, Script } from 'node:vm';

/**
 * Runs a function on this thread, for so many milliseconds at most: regular expressions and schemas of definitions meet data from outside, and some of
 * them take exponential time. Costs a quarter of a millisecond. Gives undefined when the time is up, which is the same answer on any machine only where
 * it is far from the limit: what needs it is refused either way.
 *
 * This is a clock, not a boundary: what runs is our own code.
 */
export function inTime<T>(run: () => T, limitMs: number): { readonly value: T } | undefined {
  HOLDER.run = run;
  try {
    return { value: SCRIPT.runInContext(CONTEXT, { timeout: limitMs }) as T };
  } catch (error) {
    // It comes from the other realm, and is no Error of this one.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return undefined;
    throw error;
  } finally {
    HOLDER.run = undefined;
  }
}

const HOLDER: { run: (() => unknown) | undefined } = { run: undefined };
const CONTEXT = createContext(HOLDER);
const SCRIPT = new Script('run()');
