import { randomInt } from 'node:crypto';
import type { Host, Program } from './program.ts';

/**
 * Programs by host and name, of all hosts in one table: two numbers are read to find a program, where a `Map` for each host took five objects that
 * are not in the processor's cache. Open addressing with linear probing, at most half full.
 */
export interface ProgramIndex {
  find(host: Host, name: string): Program | undefined;
  /** The program must not be in the table. */
  add(program: Program): void;
  /** The program must be in the table. */
  remove(program: Program): void;
}

const SMALLEST = 64;
/** An attacker cannot prepare names that fall into one place: each process has another number. What is found does not depend on it. */
const SEED = randomInt(2 ** 32) | 0;

/** An empty table. */
export function createProgramIndex(): ProgramIndex {
  /** 0: the place is free. */
  let hashes = new Int32Array(SMALLEST);
  let programs = emptyPlaces(SMALLEST);
  let size = 0;

  /** A free place for the hash. */
  function put(hash: number, program: Program): void {
    const mask = hashes.length - 1;
    let at = hash & mask;
    while (hashes[at] !== 0) at = (at + 1) & mask;
    hashes[at] = hash;
    programs[at] = program;
  }

  function grow(): void {
    const [oldHashes, oldPrograms] = [hashes, programs];
    hashes = new Int32Array(oldHashes.length * 2);
    programs = emptyPlaces(hashes.length);
    for (let at = 0; at < oldHashes.length; at += 1)
      if (oldHashes[at] !== 0) put(oldHashes[at] as number, oldPrograms[at] as Program);
  }

  return {
    find(host, name) {
      const hash = hashOf(host.born, name);
      const mask = hashes.length - 1;
      for (let at = hash & mask; hashes[at] !== 0; at = (at + 1) & mask) {
        if (hashes[at] !== hash) continue;
        const program = programs[at] as Program;
        if (program.host === host && program.name === name) return program;
      }
      return undefined;
    },
    add(program) {
      size += 1;
      if (size * 2 > hashes.length) grow();
      put(hashOf(program.host.born, program.name), program);
    },
    remove(program) {
      const mask = hashes.length - 1;
      let free = hashOf(program.host.born, program.name) & mask;
      while (programs[free] !== program) free = (free + 1) & mask;
      size -= 1;
      // Moves up what was put behind this place for want of room, so that no search ends at the gap.
      for (let at = (free + 1) & mask; hashes[at] !== 0; at = (at + 1) & mask) {
        const home = (hashes[at] as number) & mask;
        if (((at - home) & mask) < ((at - free) & mask)) continue;
        hashes[free] = hashes[at] as number;
        programs[free] = programs[at];
        free = at;
      }
      hashes[free] = 0;
      programs[free] = undefined;
    },
  };
}

function emptyPlaces(count: number): (Program | undefined)[] {
  return new Array<Program | undefined>(count).fill(undefined);
}

/** Never 0. Takes two characters a step. */
function hashOf(host: number, name: string): number {
  let hash = mix(SEED ^ host);
  const { length } = name;
  let at = 0;
  for (; at + 1 < length; at += 2) hash = mix(hash ^ (name.charCodeAt(at) | (name.charCodeAt(at + 1) << 16)));
  if (at < length) hash = mix(hash ^ name.charCodeAt(at) ^ length);
  return hash === 0 ? 1 : hash;
}

function mix(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
