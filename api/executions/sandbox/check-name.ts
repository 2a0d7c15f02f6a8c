import { SandboxFailure } from './port.ts';

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
/** What a script would not find again under this name, or what would leave it without the tools it is given. */
const TAKEN = new Set(['globalThis', 'undefined', 'NaN', 'Infinity', 'console', 'process', 'tools', '__proto__']);

/** Rejects an argument that a script could not see under its name. */
export function checkName(name: string): void {
  if (!NAME.test(name) || TAKEN.has(name))
    throw new SandboxFailure('syntax', `an argument can not have the name ${JSON.stringify(name.slice(0, 100))}`);
}
