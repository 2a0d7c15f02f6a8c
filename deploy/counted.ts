/** `1 detection`, `2 detections`: a count for people. Takes nouns whose plural is made with an s. */
export function counted(count: number | string | undefined, noun: string): string {
  return `${count ?? 0} ${noun}${Number(count) === 1 ? '' : 's'}`;
}
