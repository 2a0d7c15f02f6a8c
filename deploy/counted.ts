/** Formats a count: `1 detection`, `2 detections`. For nouns with a plural in -s. */
export function counted(count: number | string | undefined, noun: string): string {
  return `${count ?? 0} ${noun}${Number(count) === 1 ? '' : 's'}`;
}
