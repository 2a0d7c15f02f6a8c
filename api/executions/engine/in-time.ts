import { createContext, Script } from 'node:vm';

/** The most of the clock that is given: 2⁶ times the limit, on a machine that lets this thread run for a sixty-fourth of the time. */
const MOST_TIMES = 64;

/**
 * Runs a function on this thread, for so many milliseconds of its processor time at most: regular expressions and schemas of definitions meet data from
 * outside, and some of them take exponential time. Costs a quarter of a millisecond. Gives undefined when the time is up, which is the same answer on any
 * machine only where it is far from the limit: what needs it is refused either way. One that was ended because others had the processor begins again with
 * twice the time of the clock, so the function must change nothing.
 *
 * This is a clock, not a boundary: what runs is our own code.
 */
export function inTime<T>(run: () => T, limitMs: number): { readonly value: T } | undefined {
  for (let times = 1; times <= MOST_TIMES; times *= 2) {
    const before = process.threadCpuUsage();
    const result = within(run, limitMs * times);
    if (result !== undefined) return result;
    const { user, system } = process.threadCpuUsage(before);
    // A thread that had the processor all the time is ended a little before it has used the limit.
    if ((user + system) / 1_000 >= limitMs / 2) return undefined;
  }
  return undefined;
}

function within<T>(run: () => T, timeout: number): { readonly value: T } | undefined {
  HOLDER.run = run;
  try {
    return { value: SCRIPT.runInContext(CONTEXT, { timeout }) as T };
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
