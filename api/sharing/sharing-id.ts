import { randomBytes } from 'node:crypto';

/** Returns a new id: `team_…` or `grant_…`. */
export function newSharingId(kind: 'team' | 'grant'): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}
