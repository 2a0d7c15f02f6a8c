import type { Program } from './program.ts';

/**
 * Programs in the order in which they were last seen. A linked list: constant time per operation, and no memory except
 * the links.
 */
export interface ProgramList {
  newest: Program | undefined;
  oldest: Program | undefined;
  size: number;
}

/** Creates an empty list. */
export function createProgramList(): ProgramList {
  return { newest: undefined, oldest: undefined, size: 0 };
}

/** Adds a program at the newest end. */
export function addNewest(list: ProgramList, program: Program): void {
  program.newer = undefined;
  program.older = list.newest;
  if (list.newest === undefined) list.oldest = program;
  else list.newest.newer = program;
  list.newest = program;
  list.size += 1;
}

/** Removes a program from any position. */
export function remove(list: ProgramList, program: Program): void {
  if (program.newer === undefined) list.newest = program.older;
  else program.newer.older = program.older;
  if (program.older === undefined) list.oldest = program.newer;
  else program.older.newer = program.newer;
  program.newer = undefined;
  program.older = undefined;
  list.size -= 1;
}
