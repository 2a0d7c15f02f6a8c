import { asciiText } from './ascii-text.ts';

/** Recently read texts, so that a name that comes again and again is one string, and is not allocated each time. */
export interface RecentTexts {
  /** The ASCII text in these bytes. `hash` is any number that is the same for the same text. */
  get(bytes: Buffer, from: number, to: number, hash: number): string;
}

/** A power of two. A text replaces the one before it in its slot: a sender of many texts cannot make others slow to find. */
const PLACES = 4096;
const LONGEST = 64;

export function createRecentTexts(): RecentTexts {
  const kept: (string | undefined)[] = new Array(PLACES).fill(undefined);
  return {
    get(bytes, from, to, hash) {
      if (to - from > LONGEST) return asciiText(bytes, from, to);
      const place = (hash ^ (hash >>> 13)) & (PLACES - 1);
      const text = kept[place];
      if (text !== undefined && text.length === to - from && isAt(bytes, from, text)) return text;
      const fresh = asciiText(bytes, from, to);
      kept[place] = fresh;
      return fresh;
    },
  };
}

function isAt(bytes: Uint8Array, from: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[from + i] !== text.charCodeAt(i)) return false;
  return true;
}
