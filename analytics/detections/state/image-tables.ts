/** Maximum number of image keys per host. The least recently used is dropped first. An image has up to three. */
const MAX_KEYS = 32;
/** Capacity for most hosts. */
const FEW_KEYS = 4;
const NONE = 255;
/** Numbers per link entry in the order of use: the place used next after this one, and the place used before it. */
const LINKS = 2;
const NEWER = 0;
const OLDER = 1;
/**
 * Index slots per key, for a host with many keys: at most a quarter of the slots is used. A power of two, as is the
 * number of slots per host.
 */
const SLOTS_OF_KEY = 4;
const SLOTS = MAX_KEYS * SLOTS_OF_KEY;
const SLOT_BITS = Math.log2(SLOTS);

/**
 * Image keys with the names of their programs, for many hosts; each host has `capacity` places. Uses typed arrays for
 * all hosts instead of objects per host, because every crash reads them: three cache lines per host.
 */
interface ImageTable {
  readonly capacity: number;
  keys: Float64Array;
  /** `born` of the program that set the name. If it is unchanged, the name need not be compared. */
  owners: Int32Array;
  links: Uint8Array;
  /**
   * Hash index for hosts with many keys: the place of a key plus 1, or 0 for a free slot. Open addressing with linear
   * probing. On a host with many programs, most dumps have unknown keys, and a linear search would compare all keys to
   * find that out.
   */
  slots: Uint8Array;
  readonly names: string[];
  readonly free: number[];
  used: number;
}

/** The tables of a tracker: one for hosts with few keys, and one for hosts with many. */
export interface ImageTables {
  readonly few: ImageTable;
  readonly many: ImageTable;
}

/** The keys of a host and their order of use. */
export interface ImageNames {
  table: ImageTable;
  /** Index of its first place in the table. */
  base: number;
  count: number;
  newest: number;
  oldest: number;
}

/** Owner of image keys: a host. */
interface ImageOwner {
  images: ImageNames | undefined;
  readonly imageTables: ImageTables;
}

/** A program with its unique number. */
interface NamedProgram {
  readonly name: string;
  readonly born: number;
}

/** Creates empty tables. */
export function createImageTables(): ImageTables {
  return { few: createTable(FEW_KEYS), many: createTable(MAX_KEYS) };
}

function createTable(capacity: number): ImageTable {
  return {
    capacity,
    keys: new Float64Array(capacity),
    owners: new Int32Array(capacity),
    links: new Uint8Array(capacity * LINKS),
    slots: new Uint8Array(capacity * SLOTS_OF_KEY),
    names: [],
    free: [],
    used: 0,
  };
}

function takePlaces(table: ImageTable): number {
  const free = table.free.pop();
  if (free !== undefined) return free;
  const base = table.used * table.capacity;
  table.used += 1;
  if (base + table.capacity > table.keys.length) {
    const { keys, owners, links, slots } = table;
    table.keys = new Float64Array(keys.length * 2);
    table.keys.set(keys);
    table.owners = new Int32Array(owners.length * 2);
    table.owners.set(owners);
    table.links = new Uint8Array(links.length * 2);
    table.links.set(links);
    table.slots = new Uint8Array(slots.length * 2);
    table.slots.set(slots);
  }
  return base;
}

function release({ table, base }: ImageNames): void {
  for (let at = base; at < base + table.capacity; at += 1) if (table.names[at] !== undefined) table.names[at] = '';
  table.slots.fill(0, base * SLOTS_OF_KEY, (base + table.capacity) * SLOTS_OF_KEY);
  table.free.push(base);
}

/** Releases the places of an evicted host for reuse. */
export function releaseImages(host: ImageOwner): void {
  if (host.images === undefined) return;
  release(host.images);
  host.images = undefined;
}

/** Returns the key at a place of the host, from 0 to `count` - 1. */
export function keyAt({ table, base }: ImageNames, place: number): number {
  return table.keys[base + place] as number;
}

/** Returns the name at a place of the host. */
export function nameAt({ table, base }: ImageNames, place: number): string | undefined {
  return table.names[base + place];
}

/** Returns the place of a key, or -1 if it is unknown. */
export function placeOf(images: ImageNames | undefined, key: number): number {
  if (images === undefined) return -1;
  const { base, count } = images;
  const { keys, capacity } = images.table;
  if (capacity === MAX_KEYS) return (images.table.slots[slotOf(images, key)] as number) - 1;
  for (let place = 0; place < count; place += 1) if (keys[base + place] === key) return place;
  return -1;
}

/** Returns the index slot of a key, or the free slot in which it belongs. Only for hosts with many keys. */
function slotOf({ table, base }: ImageNames, key: number): number {
  const { keys, slots } = table;
  const first = base * SLOTS_OF_KEY;
  let slot = homeOf(key);
  for (;;) {
    const place = (slots[first + slot] as number) - 1;
    if (place < 0 || keys[base + place] === key) return first + slot;
    slot = (slot + 1) & (SLOTS - 1);
  }
}

/** Returns the slot at which the search for a key starts. */
function homeOf(key: number): number {
  const high = Math.floor(key / 2 ** 32);
  const mixed = Math.imul((key - high * 2 ** 32) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return mixed >>> (32 - SLOT_BITS);
}

/** Removes a key from the index, and moves back keys that a collision had displaced. */
function removeSlot(images: ImageNames, key: number): void {
  const { table, base } = images;
  const { keys, slots } = table;
  const first = base * SLOTS_OF_KEY;
  let free = slotOf(images, key) - first;
  for (let slot = (free + 1) & (SLOTS - 1); slots[first + slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    const home = homeOf(keys[base + (slots[first + slot] as number) - 1] as number);
    if (((slot - home) & (SLOTS - 1)) < ((slot - free) & (SLOTS - 1))) continue;
    slots[first + free] = slots[first + slot] as number;
    free = slot;
  }
  slots[first + free] = 0;
}

/**
 * Sets the name of a key and marks the key as most recently used. `known`: the place of the key, -1 if it has none.
 * Returns its place.
 */
export function putKey(host: ImageOwner, known: number, key: number, { name, born }: NamedProgram): number {
  let images = host.images;
  if (images === undefined) {
    const table = host.imageTables.few;
    images = { table, base: takePlaces(table), count: 0, newest: NONE, oldest: NONE };
    host.images = images;
  }
  const place = known >= 0 ? known : freePlace(host, images);
  const { table, base } = images;
  const at = base + place;
  if (known < 0) setKey(images, place, key);
  else if (images.newest !== place) unlink(images, place);
  if (images.newest !== place) linkNewest(images, place);
  if (known >= 0 && table.owners[at] === (born | 0)) return place;
  table.owners[at] = born;
  table.names[at] = name;
  return place;
}

function setKey(images: ImageNames, place: number, key: number): void {
  const { table, base } = images;
  // The slot is found first: the search compares stored keys, and this key is not in the table yet.
  if (table.capacity === MAX_KEYS) table.slots[slotOf(images, key)] = place + 1;
  table.keys[base + place] = key;
}

/** Returns a place for a new key. The place is not in the order of use. */
function freePlace(host: ImageOwner, images: ImageNames): number {
  if (images.count === images.table.capacity) {
    if (images.count === MAX_KEYS) {
      const { oldest } = images;
      unlink(images, oldest);
      removeSlot(images, keyAt(images, oldest));
      return oldest;
    }
    moveTo(host.imageTables.many, images);
  }
  images.count += 1;
  return images.count - 1;
}

/** Moves the keys to a table with more places per host. */
function moveTo(table: ImageTable, images: ImageNames): void {
  const from = { ...images };
  images.base = takePlaces(table);
  images.table = table;
  for (let place = 0; place < from.count; place += 1) {
    setKey(images, place, keyAt(from, place));
    table.owners[images.base + place] = from.table.owners[from.base + place] as number;
    table.names[images.base + place] = nameAt(from, place) as string;
    for (const link of [NEWER, OLDER])
      table.links[(images.base + place) * LINKS + link] = from.table.links[
        (from.base + place) * LINKS + link
      ] as number;
  }
  release(from);
}

function unlink(images: ImageNames, place: number): void {
  const { links } = images.table;
  const { base } = images;
  const newer = links[(base + place) * LINKS + NEWER] as number;
  const older = links[(base + place) * LINKS + OLDER] as number;
  if (newer === NONE) images.newest = older;
  else links[(base + newer) * LINKS + OLDER] = older;
  if (older === NONE) images.oldest = newer;
  else links[(base + older) * LINKS + NEWER] = newer;
}

function linkNewest(images: ImageNames, place: number): void {
  const { links } = images.table;
  const { base, newest } = images;
  links[(base + place) * LINKS + NEWER] = NONE;
  links[(base + place) * LINKS + OLDER] = newest;
  if (newest === NONE) images.oldest = place;
  else links[(base + newest) * LINKS + NEWER] = place;
  images.newest = place;
}

/** Returns keys and names, least recently used first. Calling `putKey` in this order rebuilds the same table. */
export function entriesOf(images: ImageNames): [number, string][] {
  const { links } = images.table;
  const entries: [number, string][] = [];
  for (let place = images.oldest; place !== NONE; place = links[(images.base + place) * LINKS + NEWER] as number)
    entries.push([keyAt(images, place), nameAt(images, place) as string]);
  return entries;
}
