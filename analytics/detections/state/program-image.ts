import type { KernelTrap } from '#schemas/events/event.ts';
import { type Address, putRegister } from './address.ts';
import { keyAt, nameAt, placeOf, putKey } from './image-tables.ts';
import { isLibrary, withoutDeleted } from './library-name.ts';
import type { Host, Program } from './program.ts';
import type { Mapping } from './program-spaces.ts';

/**
 * One image in memory: what `execve` creates and every fork copies. Its addresses are drawn once, by address randomisation, so equal
 * addresses mean the same image, whatever name a process gives itself. An attacker who renames every child still attacks one image.
 */

/** Kinds of keys, so that a thread pointer is never taken for the start of a mapping. All below 2^53. */
const MAPPING = 2 ** 48;
const STACK = 2 ** 49;
/** Stack pointers of one image lie this close together, in bits: calls and saved data move them within a few pages. */
const STACK_BITS = 14;
/**
 * From here on addresses are those of a system without address randomisation (x86-64: the stack ends at 2^47, libraries lie at 0x7ffff7...):
 * every program has the same ones, so they identify none. With randomisation one image of a thousand lies there.
 */
const NOT_RANDOM_STACK = 0x7fff_ff00_0000;
const NOT_RANDOM_LIBRARY = 0x7fff_f000_0000;
/** The randomised part of a 32-bit address has too few bits to identify an image among many. */
const SMALLEST = 2 ** 32;

/** Keys of one image; the first `count` of `values`. Filled again for each event instead of made: every crash has them. */
export interface ImageKeys {
  count: number;
  readonly values: Float64Array;
  /** Whether the keys were looked for, and the place of each among those of the host, -1 for none. */
  isSearched: boolean;
  readonly places: Int8Array;
}

const MAX_KEYS_OF_IMAGE = 3;

/** Filled again for each register. */
const register: Address = { space: 0, offset: 0 };

/** Without any key. */
export function createImageKeys(): ImageKeys {
  return {
    count: 0,
    values: new Float64Array(MAX_KEYS_OF_IMAGE),
    isSearched: false,
    places: new Int8Array(MAX_KEYS_OF_IMAGE),
  };
}

function addKey(keys: ImageKeys, key: number | undefined): void {
  if (key === undefined) return;
  keys.values[keys.count] = key;
  keys.count += 1;
}

/**
 * Fills in the keys of the image in which a trap happened: the start of the mapping of its library, and its stack. `inLibrary`: whether the file of
 * the trap is a library. Returns `keys`.
 */
export function trapImage({ sp, file, vmastart }: KernelTrap, inLibrary: boolean, keys: ImageKeys): ImageKeys {
  keys.count = 0;
  keys.isSearched = false;
  if (inLibrary) addKey(keys, mappingKey(file, vmastart));
  if (typeof sp === 'number') addKey(keys, stackKey(sp));
  return keys;
}

/** Of a library: an executable names its program by itself. */
function mappingKey(file: Mapping['file'], start: Mapping['vmastart']): number | undefined {
  if (file === null || file === undefined || typeof start !== 'number') return undefined;
  if (start < SMALLEST || start >= NOT_RANDOM_LIBRARY) return undefined;
  return MAPPING + start + pageOffsetOf(withoutDeleted(file));
}

/**
 * Fills in the keys of the image whose registers a dump shows: the thread pointer FS, and its stack. A trace shows neither: its event has the mapping
 * of the instruction pointer, which of an abort is the C library. Returns `keys`.
 */
export function dumpImage(
  registers: Readonly<Record<string, string>>,
  library: Pick<Mapping, 'file' | 'vmastart'> | undefined,
  keys: ImageKeys,
): ImageKeys {
  keys.count = 0;
  keys.isSearched = false;
  if (typeof library?.file === 'string' && isLibrary(library.file))
    addKey(keys, mappingKey(library.file, library.vmastart));
  if (putRegister(registers.FS, register) && register.space === 0) {
    const thread = register.offset;
    if (thread >= SMALLEST && thread < NOT_RANDOM_LIBRARY) addKey(keys, thread);
  }
  if (putRegister(registers.RSP ?? registers.sp, register) && register.space === 0)
    addKey(keys, stackKey(register.offset));
  return keys;
}

/**
 * The name of a file as a number below the size of a page. The start of a mapping leaves those bits free: two programs that have other
 * libraries at one address are two images.
 */
function pageOffsetOf(file: string): number {
  let hash = 0;
  for (let i = 0; i < file.length; i += 1) hash = (Math.imul(hash, 31) + file.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 12)) & 0xfff;
}

function stackKey(pointer: number): number | undefined {
  if (pointer < SMALLEST || pointer >= NOT_RANDOM_STACK) return undefined;
  return STACK + Math.floor(pointer / 2 ** STACK_BITS);
}

/**
 * Name of the program of the image with any of these keys, the first of them before the others; undefined for an unknown image. A stack may reach
 * into the next step, so its neighbours count too, after the key itself.
 */
export function programOfImage({ images }: Host, keys: ImageKeys): string | undefined {
  keys.isSearched = true;
  let found = -1;
  for (let i = 0; i < keys.count; i += 1) {
    const key = keys.values[i] as number;
    const place = placeOf(images, key);
    keys.places[i] = place;
    if (found >= 0) continue;
    found = place;
    if (found < 0 && key >= STACK) found = placeOf(images, key - 1);
    if (found < 0 && key >= STACK) found = placeOf(images, key + 1);
  }
  return images === undefined || found < 0 ? undefined : nameAt(images, found);
}

/** Remembers which program the image belongs to. */
export function rememberImage(
  host: Host,
  keys: ImageKeys,
  program: Pick<Program, 'name' | 'born' | 'imagePlace'>,
): void {
  for (let i = 0; i < keys.count; i += 1) {
    const key = keys.values[i] as number;
    const { images } = host;
    // Nearly every crash of a loop has the key of the one before, at the place where it was.
    let place = keys.isSearched ? (keys.places[i] as number) : program.imagePlace;
    if (images === undefined || place >= images.count || place < 0 || keyAt(images, place) !== key)
      place = keys.isSearched ? -1 : placeOf(images, key);
    place = putKey(host, place, key, program);
    // The first key of another kind of line is another one.
    if (i === 0 && !keys.isSearched) program.imagePlace = place;
  }
}
