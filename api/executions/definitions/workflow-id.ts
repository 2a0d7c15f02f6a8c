import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHARACTERS = 20;

/** `wf_` for a workflow, `wfh_` for a version, and 20 random characters: 119 bits. */
export function newWorkflowId(prefix: 'wf_' | 'wfh_'): string {
  return prefix + Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
