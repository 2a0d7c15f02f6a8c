/** Whether the server answers at all. */
export function answers(): Promise<boolean> {
  return fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}
