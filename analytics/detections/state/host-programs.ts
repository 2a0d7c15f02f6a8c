import type { Program } from './program.ts';

/** Appends a program to the list of its host. */
export function appendToHost(program: Program): void {
  const { host } = program;
  program.earlier = host.last;
  program.later = undefined;
  if (host.last === undefined) host.first = program;
  else host.last.later = program;
  host.last = program;
  host.programs += 1;
}

/** Removes a program from the list of its host. */
export function removeFromHost(program: Program): void {
  const { host } = program;
  if (program.earlier === undefined) host.first = program.later;
  else program.earlier.later = program.later;
  if (program.later === undefined) host.last = program.earlier;
  else program.later.earlier = program.earlier;
  program.earlier = undefined;
  program.later = undefined;
  host.programs -= 1;
}
