import { timingSafeEqual } from 'node:crypto';
import type { OperatorCaller } from '#api/http/access/caller.ts';
import { digestOf } from '#api/http/access/digest.ts';

const OPERATOR: OperatorCaller = Object.freeze({ kind: 'operator', role: 'admin', keyId: 'operator' });

/**
 * Checks the key of the data directory. It is in no table: a process that can read the directory has all rights, even while PostgreSQL is unavailable.
 * A key with another id is another's: ids are no secret, and most requests come with such keys. Of the rest digests are compared: they have one
 * length, so the time of the comparison reveals nothing about the key, not even its length.
 */
export function createOperatorKeyCheck(operatorKey: string): (presented: string) => OperatorCaller | undefined {
  const expected = digestOf(operatorKey);
  const id = operatorKey.slice(0, operatorKey.indexOf('.') + 1);
  return (presented) =>
    presented.startsWith(id) && timingSafeEqual(digestOf(presented), expected) ? OPERATOR : undefined;
}
