/** What `early.js` asked for before the console was loaded. */
interface EarlyAnswer {
  readonly answer: Promise<Response>;
  /** Milliseconds since the page was opened. */
  readonly askedAt: number;
}

/** Changes within this time are rare enough to be left to the next refresh. */
const FRESH_MS = 2_000;
/** An older answer is of another visit to the page, perhaps before the user signed out: it is not used. Loading the console takes less, also on a slow line. */
const MAX_AGE_MS = 60_000;

const early = (globalThis as { traplineEarly?: Map<string, EarlyAnswer> }).traplineEarly;
const outdated = new Set<string>();

/** The answer to a GET that was sent before the console was loaded, for the first caller only; undefined without one, if it failed, or if it is old. */
export async function earlyAnswer(address: string): Promise<Response | undefined> {
  const asked = early?.get(address);
  if (asked === undefined) return undefined;
  early?.delete(address);
  const age = performance.now() - asked.askedAt;
  if (age > MAX_AGE_MS) return undefined;
  if (age > FRESH_MS) outdated.add(address);
  return asked.answer.catch(() => undefined);
}

/** Whether the address was asked for before the console was loaded, and the answer was not taken yet. */
export function isAskedEarly(address: string): boolean {
  return early?.has(address) ?? false;
}

/** Whether the console shows an early answer that was asked for more than two seconds before it could be shown. Only once. */
export function isOutdated(address: string): boolean {
  return outdated.delete(address);
}
