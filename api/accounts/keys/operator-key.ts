import { timingSafeEqual } from 'node:crypto';
import type { OperatorCaller } from '#api/http/access/caller.ts';
import { digestOf } from '#api/http/access/digest.ts';

const OPERATOR: OperatorCaller = Object.freeze({ kind: 'operator', role: 'admin', keyId: 'operator' });

/**
 * Creates the check of the operator key of the data directory. The key is in no table: a process that can read the
 * directory has all rights, even while PostgreSQL is unavailable. Keys with another id, which most requests have, are
 * rejected immediately, because ids are not secret. Otherwise digests are compared. They have equal length, so the time
 * of the comparison reveals nothing about the key, not even its length.
 */
export function createOperatorKeyCheck(operatorKey: string): (presented: string) => OperatorCaller | undefined {
  const expected = digestOf(operatorKey);
  const id = operatorKey.slice(0, operatorKey.indexOf('.') + 1);
  return (presented) =>
    presented.startsWith(id) && timingSafeEqual(digestOf(presented), expected) ? OPERATOR : undefined;
}
