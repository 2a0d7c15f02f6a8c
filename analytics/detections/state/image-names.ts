/** Keys of images that a host remembers; the least recently used gives way. An image has up to three. */
const MAX_KEYS = 32;
/** Numbers of an entry: its key, and when it was used last, as a count of uses. */
export const ENTRY_FIELDS = 2;

/**
 * Program name by key of an image. Flat arrays instead of a `Map`: a host that crashes in turns in more images than it remembers
 * replaces a key with each event, and a `Map` that loses and gains keys all the time is rebuilt again and again.
 */
export interface ImageNames {
  /** `ENTRY_FIELDS` numbers for each name. */
  readonly entries: number[];
  readonly names: string[];
  uses: number;
  /** Where in `entries` a key was found last: what finds the program of a crash looks for the same keys once more, to remember them. */
  found: number;
}

/** Without any key. */
export function createImageNames(): ImageNames {
  return { entries: [], names: [], uses: 0, found: 0 };
}

/** The name of the entry at this place, where the next search begins. */
export function nameAt(images: ImageNames, at: number): string | undefined {
  images.found = at;
  return images.names[at / ENTRY_FIELDS];
}

/** Sets the name of a key and counts as its latest use. */
export function putName(images: ImageNames, key: number, name: string): void {
  const { entries, names } = images;
  images.uses += 1;
  const at = entries[images.found] === key ? images.found : placeOf(entries, key);
  images.found = at;
  if (at === entries.length) {
    entries.push(key, images.uses);
    names.push(name);
    return;
  }
  entries[at] = key;
  entries[at + 1] = images.uses;
  if (names[at / ENTRY_FIELDS] !== name) names[at / ENTRY_FIELDS] = name;
}

/** Keys and names in the order of their latest use, the oldest first: `putName` in this order makes the same table. */
export function entriesOf({ entries, names }: ImageNames): [number, string][] {
  const order = names.map((name, i): [number, string, number] => [
    entries[i * ENTRY_FIELDS] as number,
    name,
    entries[i * ENTRY_FIELDS + 1] as number,
  ]);
  return order.sort((a, b) => a[2] - b[2]).map(([key, name]) => [key, name]);
}

/** Where the key is, or is to be put: behind the others, or when the table is full in the place of the least recently used. One pass. */
function placeOf(entries: readonly number[], key: number): number {
  let least = 0;
  for (let at = 0; at < entries.length; at += ENTRY_FIELDS) {
    if (entries[at] === key) return at;
    if ((entries[at + 1] as number) < (entries[least + 1] as number)) least = at;
  }
  return entries.length < MAX_KEYS * ENTRY_FIELDS ? entries.length : least;
}
