import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHARACTERS = 20;

/** Of what an id is: a workflow, a version of one, a trigger, an agent, an example of its dataset, a task of a worker, a bulk action. */
export type IdPrefix = 'wf_' | 'wfh_' | 'trg_' | 'awf_' | 'awx_' | 'awp_' | 'wtk_' | 'bulk_';

/** The prefix and 20 random characters: 119 bits. */
export function randomId(prefix: IdPrefix): string {
  return prefix + Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
