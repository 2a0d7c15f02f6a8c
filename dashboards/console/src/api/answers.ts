/** Whether the server responds. An error of a proxy before it is no response of it. */
export function answers(): Promise<boolean> {
  return fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
