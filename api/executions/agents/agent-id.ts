import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 20;
/** The greatest multiple of the number of digits that a byte can hold: what is above would make some digits likelier. */
const FAIR = 256 - (256 % DIGITS.length);

/** `awf_` for agents, `awx_` for their examples, and 20 characters at random (119 bits). */
export function newAgentId(prefix: 'awf' | 'awx'): string {
  let digits = '';
  while (digits.length < LENGTH) {
    for (const byte of randomBytes(LENGTH * 2))
      if (byte < FAIR && digits.length < LENGTH) digits += DIGITS[byte % DIGITS.length];
  }
  return `${prefix}_${digits}`;
}
