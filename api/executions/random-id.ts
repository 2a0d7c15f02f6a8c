import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHARACTERS = 20;

/**
 * Prefixes of ids: workflow, version of a workflow, trigger, agent, example of a dataset, experiment, task of an
 * external worker, bulk action.
 */
export type IdPrefix = 'wf_' | 'wfh_' | 'trg_' | 'awf_' | 'awx_' | 'awp_' | 'wtk_' | 'bulk_';

/** Returns the prefix and 20 random characters (119 bits). */
export function randomId(prefix: IdPrefix): string {
  return prefix + Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
