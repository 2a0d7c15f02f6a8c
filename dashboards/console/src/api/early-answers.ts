/** What `early.js` asked for before the console was loaded. */
interface EarlyAnswer {
  readonly answer: Promise<Response>;
  /** Milliseconds since the page was opened. */
  readonly askedAt: number;
}

/** Changes within this time are rare enough to be left to the next refresh. */
const FRESH_MS = 2_000;

const early = (globalThis as { traplineEarly?: Map<string, EarlyAnswer> }).traplineEarly;
const outdated = new Set<string>();

/** The answer to a GET that was sent before the console was loaded, for the first caller only; undefined without one, or if it failed. */
export async function earlyAnswer(address: string): Promise<Response | undefined> {
  const asked = early?.get(address);
  if (asked === undefined) return undefined;
  early?.delete(address);
  if (performance.now() - asked.askedAt > FRESH_MS) outdated.add(address);
  return asked.answer.catch(() => undefined);
}

/** Whether the console shows an early answer that was asked for more than two seconds before it could be shown. Only once. */
export function isOutdated(address: string): boolean {
  return outdated.delete(address);
}
