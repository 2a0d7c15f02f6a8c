/** Keys of images that a host remembers; the least recently used gives way. An image has up to three. */
const MAX_KEYS = 32;

/**
 * Program name by key of an image. Flat arrays instead of a `Map`: a host that crashes in turns in more images than it remembers
 * replaces a key with each event, and a `Map` that loses and gains keys all the time is rebuilt again and again.
 */
export interface ImageNames {
  readonly keys: number[];
  readonly names: string[];
  /** When each key was used last, as a count of uses. */
  readonly used: number[];
  uses: number;
  /** Where a key was found last: what finds the program of a crash looks for the same keys once more, to remember them. */
  found: number;
}

/** Without any key. */
export function createImageNames(): ImageNames {
  return { keys: [], names: [], used: [], uses: 0, found: 0 };
}

/** The name under this key. */
export function nameOf(images: ImageNames, key: number): string | undefined {
  const at = indexOf(images, key);
  return at < 0 ? undefined : images.names[at];
}

/** Sets the name of a key and counts as its latest use. */
export function putName(images: ImageNames, key: number, name: string): void {
  images.uses += 1;
  const found = indexOf(images, key);
  const at = found >= 0 ? found : images.keys.length < MAX_KEYS ? images.keys.length : leastRecent(images);
  images.keys[at] = key;
  images.names[at] = name;
  images.used[at] = images.uses;
}

/** Keys and names in the order of their latest use, the oldest first: `putName` in this order makes the same table. */
export function entriesOf({ keys, names, used }: ImageNames): [number, string][] {
  const order = used.map((use, at) => ({ use, at })).sort((a, b) => a.use - b.use);
  return order.map(({ at }) => [keys[at] as number, names[at] as string]);
}

function indexOf(images: ImageNames, key: number): number {
  const { keys } = images;
  if (keys[images.found] === key) return images.found;
  for (let i = 0; i < keys.length; i += 1) {
    if (keys[i] !== key) continue;
    images.found = i;
    return i;
  }
  return -1;
}

function leastRecent({ used }: ImageNames): number {
  let least = 0;
  for (let i = 1; i < used.length; i += 1) if ((used[i] as number) < (used[least] as number)) least = i;
  return least;
}
