/** A request that `early.js` sent before the console was loaded. */
interface EarlyAnswer {
  readonly answer: Promise<Response>;
  /** Milliseconds since the page was opened. */
  readonly askedAt: number;
}

/** Maximum age of a response, ms, up to which it is shown without a refresh. Changes in this time are rare. */
const FRESH_MS = 2_000;
/**
 * Maximum age of a response, ms. An older one belongs to another visit of the page, perhaps before the user signed out.
 * Loading the console takes less time, even on a slow connection.
 */
const MAX_AGE_MS = 60_000;

const early = (globalThis as { traplineEarly?: Map<string, EarlyAnswer> }).traplineEarly;
const outdated = new Set<string>();

/**
 * Returns the response to a GET that was sent before the console was loaded, for the first caller only. Undefined if
 * none exists, if it failed, or if it is old.
 */
export async function earlyAnswer(address: string): Promise<Response | undefined> {
  const asked = early?.get(address);
  if (asked === undefined) return undefined;
  early?.delete(address);
  const age = performance.now() - asked.askedAt;
  if (age > MAX_AGE_MS) return undefined;
  if (age > FRESH_MS) outdated.add(address);
  return asked.answer.catch(() => undefined);
}

/** Returns true if the URL was requested before the console was loaded, and its response was not used yet. */
export function isAskedEarly(address: string): boolean {
  return early?.has(address) ?? false;
}

/** Returns true, once, if the console shows an early response that was requested more than two seconds earlier. */
export function isOutdated(address: string): boolean {
  return outdated.delete(address);
}
