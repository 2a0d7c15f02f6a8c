/** Returns a one-line text for an error. */
export function errorText(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { title, detail, type } = error as { title?: string; detail?: string; type?: string };
  return [title, detail].filter((text) => text !== undefined).join(': ') || (type ?? 'failed');
}
