import { SandboxFailure } from './port.ts';

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** Names that would shadow built-in globals or the tools of a script. */
const TAKEN = new Set(['globalThis', 'undefined', 'NaN', 'Infinity', 'console', 'process', 'tools', '__proto__']);

/** Rejects an argument name that a script could not use as a global name. */
export function checkName(name: string): void {
  if (!NAME.test(name) || TAKEN.has(name))
    throw new SandboxFailure('syntax', `an argument cannot have the name ${JSON.stringify(name.slice(0, 100))}`);
}
