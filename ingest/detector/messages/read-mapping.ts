import type { U64 } from '#schemas/events/versions/v1.ts';
import { parseAddress } from './address.ts';

/** The file mapping that contains the instruction pointer. */
export interface Mapping {
  /** File name as printed by the kernel, including ` (deleted)`. */
  readonly file: string;
  readonly vmastart: U64;
  readonly vmasize: U64;
}

// Greedy up to the last bracket of the line, because a file name may contain anything, including such a bracket.
const MAPPING =
  /^ ?in ([\s\S]*)\[(?:[0-9a-f]{1,16},)?([0-9a-f]{1,16})\+([0-9a-f]{1,16})\](?: likely on CPU \d+ \(core \d+, socket \d+\))?\s*$/;

/**
 * Reads ` in file[start+size]` or, since Linux 6.6, ` in file[offset,start+size]`. `likely on CPU …` (since 6.1) may
 * follow.
 */
export function readMapping(text: string): Mapping | null {
  const match = MAPPING.exec(text);
  if (!match) return null;
  const vmastart = parseAddress(match[2] as string);
  const vmasize = parseAddress(match[3] as string);
  return vmastart === null || vmasize === null ? null : { file: match[1] as string, vmastart, vmasize };
}

/** Returns true if the address is in the mapping. Used to assign a separately printed mapping to a dump. */
export function mappingHolds(mapping: Mapping, address: U64): boolean {
  const offset = BigInt(address) - BigInt(mapping.vmastart);
  return offset >= 0n && offset < BigInt(mapping.vmasize);
}
