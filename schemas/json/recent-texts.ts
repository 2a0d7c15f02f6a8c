import { asciiText } from './ascii-text.ts';

/** Cache of short strings that were read recently, so that repeated names are not allocated again. */
export interface RecentTexts {
  /** Returns the ASCII string in these bytes. `hash` must be equal for equal strings. */
  get(bytes: Buffer, from: number, to: number, hash: number): string;
}

/**
 * Number of slots, a power of two. A string replaces the previous one in its slot, so many different strings do not
 * slow down lookups.
 */
const SLOTS = 4096;
const MAX_CHARACTERS = 64;

export function createRecentTexts(): RecentTexts {
  const kept: (string | undefined)[] = new Array(SLOTS).fill(undefined);
  return {
    get(bytes, from, to, hash) {
      if (to - from > MAX_CHARACTERS) return asciiText(bytes, from, to);
      const slot = (hash ^ (hash >>> 13)) & (SLOTS - 1);
      const text = kept[slot];
      if (text !== undefined && text.length === to - from && isAt(bytes, from, text)) return text;
      const fresh = asciiText(bytes, from, to);
      kept[slot] = fresh;
      return fresh;
    },
  };
}

function isAt(bytes: Uint8Array, from: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text.charCodeAt(i)) return false;
  return true;
}
