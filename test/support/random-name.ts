import { randomBytes } from 'node:crypto';

/** A unique name, so that tests never see each other's data. Fits topics, consumer groups and databases. */
export function randomName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}
