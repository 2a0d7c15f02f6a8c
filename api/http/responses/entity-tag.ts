import { createHash } from 'node:crypto';

/** Returns the strong ETag of a version number (RFC 9110, section 8.8.3). */
export function entityTag(version: number): string {
  return `"v${version}"`;
}

/**
 * Returns the ETag of an object without a version: a hash of its content. Equal content has an equal tag, even after
 * changes in between. `content` holds all fields that can change, as JSON.
 */
export function contentTag(content: unknown): string {
  return `"c${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)}"`;
}

/**
 * True if `If-Match` permits a change of the current state (RFC 9110, section 13.1.1). A client that omits the header
 * accepts that it may overwrite concurrent changes.
 */
export function mayChange(ifMatch: string | undefined, current: string): boolean {
  if (ifMatch === undefined) return true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(current);
}
