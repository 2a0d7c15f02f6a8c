import { timingSafeEqual } from 'node:crypto';
import type { OperatorCaller } from '../access/caller.ts';
import { digestOf } from '../access/digest.ts';

const OPERATOR: OperatorCaller = Object.freeze({ kind: 'operator', role: 'admin', keyId: 'operator' });

/**
 * Knows the key of the data directory. It is in no table: whoever can read the directory may do everything, also when PostgreSQL is away.
 * Digests have one length, so the comparison tells nothing about the key, not even how long it is.
 */
export function createOperatorKeyCheck(operatorKey: string): (presented: string) => OperatorCaller | undefined {
  const expected = digestOf(operatorKey);
  return (presented) => (timingSafeEqual(digestOf(presented), expected) ? OPERATOR : undefined);
}
