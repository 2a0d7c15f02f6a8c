/** Resolves with true if the server responds. An error from a proxy in front of it does not count as a response. */
export function answers(): Promise<boolean> {
  return fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
