import { randomBytes } from 'node:crypto';

/**
 * Returns a unique name, so that tests never see each other's data. Valid for topics, consumer groups and databases.
 */
export function randomName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`;
}
