/** Keys of images that a host remembers; the least recently used gives way. An image has up to three. */
const MAX_KEYS = 32;
const FIELDS = 2;

/**
 * Program name by key of an image. Flat arrays instead of a `Map`: a host that crashes in turns in more images than it remembers
 * replaces a key with each event, and a `Map` that loses and gains keys all the time is rebuilt again and again.
 */
export interface ImageNames {
  /** Of each name its key, and when that was used last, as a count of uses. */
  readonly keys: number[];
  readonly names: string[];
  uses: number;
  /** Where in `keys` a key was found last: what finds the program of a crash looks for the same keys once more, to remember them. */
  found: number;
}

/** Without any key. */
export function createImageNames(): ImageNames {
  return { keys: [], names: [], uses: 0, found: 0 };
}

/** The name under this key. */
export function nameOf(images: ImageNames, key: number): string | undefined {
  const { keys, found } = images;
  if (keys[found] === key) return images.names[found / FIELDS];
  for (let at = 0; at < keys.length; at += FIELDS) {
    if (keys[at] !== key) continue;
    images.found = at;
    return images.names[at / FIELDS];
  }
  return undefined;
}

/** Sets the name of a key and counts as its latest use. */
export function putName(images: ImageNames, key: number, name: string): void {
  const { keys, names } = images;
  images.uses += 1;
  const at = keys[images.found] === key ? images.found : placeOf(keys, key);
  images.found = at;
  if (at === keys.length) {
    keys.push(key, images.uses);
    names.push(name);
    return;
  }
  keys[at] = key;
  keys[at + 1] = images.uses;
  if (names[at / FIELDS] !== name) names[at / FIELDS] = name;
}

/** Keys and names in the order of their latest use, the oldest first: `putName` in this order makes the same table. */
export function entriesOf({ keys, names }: ImageNames): [number, string][] {
  const order = names.map((name, i): [number, string, number] => [
    keys[i * FIELDS] as number,
    name,
    keys[i * FIELDS + 1] as number,
  ]);
  return order.sort((a, b) => a[2] - b[2]).map(([key, name]) => [key, name]);
}

/** Where the key is, or is to be put: behind the others, or when the table is full in the place of the least recently used. One pass. */
function placeOf(keys: readonly number[], key: number): number {
  let least = 0;
  for (let at = 0; at < keys.length; at += FIELDS) {
    if (keys[at] === key) return at;
    if ((keys[at + 1] as number) < (keys[least + 1] as number)) least = at;
  }
  return keys.length < MAX_KEYS * FIELDS ? keys.length : least;
}
