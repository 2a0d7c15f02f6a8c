import type { KernelTrap } from '#schemas/events/event.ts';
import { type Address, putRegister } from './address.ts';
import { keyAt, nameAt, placeOf, putKey } from './image-tables.ts';
import { isLibrary, withoutDeleted } from './library-name.ts';
import type { Host, Program } from './program.ts';
import type { Mapping } from './program-spaces.ts';

/**
 * One image in memory: `execve` creates it, and every fork copies it. Address randomisation draws its addresses once.
 * Equal addresses therefore mean the same image, whatever name a process sets for itself. An attacker who renames every
 * child still attacks one image.
 */

/** Prefixes of the key kinds, so that a thread pointer never equals the start of a mapping. All keys are below 2^53. */
const MAPPING = 2 ** 48;
const STACK = 2 ** 49;
/** Stack pointers of one image differ only in this many low bits: calls and saved data move them by a few pages. */
const STACK_BITS = 14;
/**
 * Stack addresses from here on are those of a system without address randomisation (x86-64: the stack ends at 2^47,
 * libraries lie at 0x7ffff7...). Every program has the same ones, so they identify no image. With randomisation, one
 * image in a thousand lies there.
 */
const NOT_RANDOM_STACK = 0x7fff_ff00_0000;
const NOT_RANDOM_LIBRARY = 0x7fff_f000_0000;
/** Minimum address that identifies an image. The randomised part of a 32-bit address has too few bits. */
const SMALLEST = 2 ** 32;

/**
 * Keys of one image: the first `count` of `values`. The object is reused for each event, because every crash needs it.
 */
export interface ImageKeys {
  count: number;
  readonly values: Float64Array;
  /** True if the keys were looked up. `places` then holds the place of each key at the host, or -1. */
  isSearched: boolean;
  readonly places: Int8Array;
}

const MAX_KEYS_OF_IMAGE = 3;

/** Reused for each register. */
const register: Address = { space: 0, offset: 0 };

/** Creates an object without keys. */
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
 * Sets the keys of the image in which a trap happened: the start of the mapping of its library, and its stack.
 * `inLibrary`: the file of the trap is a library. Returns `keys`.
 */
export function trapImage({ sp, file, vmastart }: KernelTrap, inLibrary: boolean, keys: ImageKeys): ImageKeys {
  keys.count = 0;
  keys.isSearched = false;
  if (inLibrary) addKey(keys, mappingKey(file, vmastart));
  if (typeof sp === 'number') addKey(keys, stackKey(sp));
  return keys;
}

/** Returns the key of a library mapping. An executable needs none, because it names its program itself. */
function mappingKey(file: Mapping['file'], start: Mapping['vmastart']): number | undefined {
  if (file === null || file === undefined || typeof start !== 'number') return undefined;
  if (start < SMALLEST || start >= NOT_RANDOM_LIBRARY) return undefined;
  return MAPPING + start + pageOffsetOf(withoutDeleted(file));
}

/**
 * Sets the keys of the image in a dump: the thread pointer FS, and its stack. A trace contains neither. Its event has
 * the mapping of the instruction pointer, which for an abort is the C library. Returns `keys`.
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
 * Returns a number below the page size that depends on the file name. The start of a mapping leaves these bits free.
 * Two programs with different libraries at one address are therefore two images.
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
 * Returns the name of the program that has any of these keys, in the order of the keys; undefined for an unknown image.
 * A stack may extend into the adjacent step, so the neighbours of a stack key are tried after the key itself.
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

/** Stores the program to which the image belongs. */
export function rememberImage(
  host: Host,
  keys: ImageKeys,
  program: Pick<Program, 'name' | 'born' | 'imagePlace'>,
): void {
  for (let i = 0; i < keys.count; i += 1) {
    const key = keys.values[i] as number;
    const { images } = host;
    // In a crash loop, nearly every crash has the same key as the previous crash, at the same place.
    let place = keys.isSearched ? (keys.places[i] as number) : program.imagePlace;
    if (images === undefined || place >= images.count || place < 0 || keyAt(images, place) !== key)
      place = keys.isSearched ? -1 : placeOf(images, key);
    place = putKey(host, place, key, program);
    // Only for lines whose keys were not looked up: the first key of the other kind of line differs.
    if (i === 0 && !keys.isSearched) program.imagePlace = place;
  }
}
