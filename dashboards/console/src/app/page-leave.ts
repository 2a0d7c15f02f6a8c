/**
 * Maximum time for which the user is assumed to be leaving, ms. A navigation that starts a download or is cancelled
 * does not leave the page.
 */
const MAX_LEAVING_MS = 10_000;

let leavingSince = Number.NEGATIVE_INFINITY;
addEventListener('beforeunload', () => {
  leavingSince = performance.now();
});

/**
 * Logs an error for which an error page was shown, except while the user leaves the page. Firefox then aborts all
 * downloads of the page, including its code, and reports them as errors.
 */
export function logCaughtError(error: unknown): void {
  if (performance.now() - leavingSince > MAX_LEAVING_MS) console.error(error);
}
