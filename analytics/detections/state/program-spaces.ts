import type { U64 } from '#schemas/events/event.ts';
import { type Address, distance, putAddress, toAddress, toDouble } from './address.ts';
import { OFFSET, SEQUENCE, SPACE, STRIDE } from './crash-points.ts';
import { boundedKey, detachedCopy } from './detached-copy.ts';
import { isLibrary, withoutDeleted } from './library-name.ts';
import type { Program, Space } from './program.ts';
import { adoptRepeats, forgetRepeats } from './repeated-crashes.ts';

const MAX_FILE_NAME = 255;
/** Maximum number of mappings per program. Attackers can choose file names. */
const MAX_SPACES = 24;

export interface Mapping {
  readonly file?: string | null | undefined;
  readonly vmastart?: U64 | null | undefined;
  readonly vmasize?: U64 | null | undefined;
}

/**
 * Returns the place of a trap: the offset into the mapping that it names, which address randomisation does not change.
 * Without a mapping, the absolute address. Writes to `at` and returns it.
 */
export function locateTrap(
  program: Program,
  ip: U64,
  { file, vmastart, vmasize }: Mapping,
  at: Address = { space: 0, offset: 0 },
): Address {
  if (file === null || file === undefined || vmastart === null || vmastart === undefined) return putAddress(ip, at);
  const offset = distance(ip, vmastart);
  if (offset < 0 || !Number.isSafeInteger(offset)) return putAddress(ip, at);
  const size = vmasize === null || vmasize === undefined ? 0 : toDouble(vmasize);
  at.space = spaceNumber(program, boundedKey(withoutDeleted(file), MAX_FILE_NAME), size, vmastart);
  at.offset = offset;
  return at;
}

/**
 * Returns the place of a dump's instruction pointer: in the program's mapping whose latest address range contains it,
 * else absolute.
 */
export function locateDump(program: Program, pointer: Address): Address {
  const { latest, spaces } = program;
  if (latest === undefined) return pointer;
  if (spaces === undefined) return locateIn(latest, pointer) ?? pointer;
  for (let i = 0; i < spaces.length; i += 1) {
    const found = locateIn(spaces[i] as Space, pointer);
    if (found !== undefined) return found;
  }
  return pointer;
}

function locateIn({ number, size, baseSpace, baseOffset }: Space, pointer: Address): Address | undefined {
  if (baseSpace !== pointer.space) return undefined;
  const offset = pointer.offset - baseOffset;
  return offset >= 0 && offset < size ? { space: number, offset } : undefined;
}

/** Reused for each bigint. */
const base: Address = { space: 0, offset: 0 };

function spaceNumber(program: Program, file: string, size: number, start: U64): number {
  const { latest } = program;
  // Nearly every crash is in the same mapping as the previous one. Checking it first avoids reading the list.
  const found =
    latest !== undefined && latest.size === size && latest.file === file ? latest : findSpace(program, file, size);
  if (found === undefined) return addSpace(program, file, size, start);
  if (found !== latest) program.latest = found;
  if (typeof start === 'number') {
    found.baseSpace = 0;
    found.baseOffset = start;
  } else {
    putAddress(start, base);
    found.baseSpace = base.space;
    found.baseOffset = base.offset;
  }
  return found.number;
}

function findSpace({ spaces }: Program, file: string, size: number): Space | undefined {
  if (spaces === undefined) return undefined;
  for (let i = 0; i < spaces.length; i += 1) {
    const space = spaces[i] as Space;
    if (space.size === size && space.file === file) return space;
  }
  return undefined;
}

/** Creates a mapping of a program, at the first crash in it or from a snapshot. */
export function createSpace(file: string, number: number, size: number, base: Address): Space {
  return { file, number, isLibrary: isLibrary(file), size, baseSpace: base.space, baseOffset: base.offset };
}

function addSpace(program: Program, file: string, size: number, start: U64): number {
  const spaces = spacesOf(program);
  const kept = file === program.name ? program.name : detachedCopy(file, MAX_FILE_NAME);
  const base = toAddress(start);
  const number = spaces.length < MAX_SPACES ? spaces.length + 1 : dropStalestSpace(program);
  const made = createSpace(kept, number, size, base);
  setSpaces(program, spaces.length < MAX_SPACES ? spaces.concat(made) : spaces.with(number - 1, made));
  program.latest = made;
  adoptAbsolutePoints(program, number, base, size);
  return number;
}

/** Returns the mappings of a program, ordered by number. */
export function spacesOf({ latest, spaces }: Program): readonly Space[] {
  return spaces ?? (latest === undefined ? [] : [latest]);
}

/** Sets the mappings of a program, ordered by number. Nearly every program has a single mapping and needs no list. */
export function setSpaces(program: Program, spaces: readonly Space[]): void {
  program.latest = spaces[0];
  program.spaces = spaces.length > 1 ? spaces : undefined;
}

/** Returns the mapping with a number. Undefined for the numbers of absolute addresses. */
export function spaceAt({ latest, spaces }: Program, number: number): Space | undefined {
  if (number <= 0) return undefined;
  return latest?.number === number ? latest : spaces?.[number - 1];
}

/**
 * Moves places at absolute addresses into a mapping that has become known, so that a run is not split. They come from
 * dumps that arrived before the mapping was known.
 */
function adoptAbsolutePoints(program: Program, number: number, base: Address, size: number): void {
  adoptRepeats(program, number, base, size);
  const moved: number[] = [];
  const kept: number[] = [];
  for (let at = 0; at < program.points.length; at += STRIDE) {
    const place = program.points.slice(at, at + STRIDE);
    const offset = (place[OFFSET] as number) - base.offset;
    if (place[SPACE] === base.space && offset >= 0 && offset < size) {
      place[SPACE] = number;
      place[OFFSET] = offset;
      moved.push(...place);
    } else {
      kept.push(...place);
    }
  }
  if (moved.length === 0) return;
  let at = 0;
  while (at < kept.length && (kept[at + SPACE] as number) < number) at += STRIDE;
  program.points = [...kept.slice(0, at), ...moved, ...kept.slice(at)];
}

/**
 * Returns the base address of a space of the program. For an absolute space, it is the address from which its offsets
 * count.
 */
export function baseOf(program: Program, space: number): Address {
  const mapping = spaceAt(program, space);
  if (mapping === undefined) return { space: Math.min(space, 0), offset: 0 };
  return { space: mapping.baseSpace, offset: mapping.baseOffset };
}

/** Returns true if the space is a mapping of a library. */
export function isInLibrary(program: Program, space: number): boolean {
  return spaceAt(program, space)?.isLibrary === true;
}

/** Removes the places of the mapping whose latest crash arrived first. Returns the number of the mapping, for reuse. */
function dropStalestSpace(program: Program): number {
  const newest = new Array<number>(MAX_SPACES).fill(-1);
  for (let at = 0; at < program.points.length; at += STRIDE) {
    const space = program.points[at + SPACE] as number;
    if (space > 0) newest[space - 1] = Math.max(newest[space - 1] as number, program.points[at + SEQUENCE] as number);
  }
  const stalest = newest.indexOf(Math.min(...newest));
  const kept: number[] = [];
  for (let at = 0; at < program.points.length; at += STRIDE) {
    if (program.points[at + SPACE] !== stalest + 1) kept.push(...program.points.slice(at, at + STRIDE));
  }
  program.points = kept;
  forgetRepeats(program, stalest + 1);
  return stalest + 1;
}
