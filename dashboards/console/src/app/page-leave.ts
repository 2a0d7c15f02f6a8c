/** A navigation that leads to a download, or is cancelled, leaves the page as it is. */
const MAX_LEAVING_MS = 10_000;

let leavingSince = Number.NEGATIVE_INFINITY;
addEventListener('beforeunload', () => {
  leavingSince = performance.now();
});

/**
 * Logs an error that a page was shown for. Not while the user leaves: Firefox ends all downloads of a page at once, also those of its code, and
 * reports them to the page.
 */
export function logCaughtError(error: unknown): void {
  if (performance.now() - leavingSince > MAX_LEAVING_MS) console.error(error);
}
