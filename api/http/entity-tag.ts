import { createHash } from 'node:crypto';

/** The ETag of a version of something: strong, RFC 9110, section 8.8.3. */
export function entityTag(version: number): string {
  return `"v${version}"`;
}

/** The ETag of what has no version: the same for the same content, whatever it was in between. `content`: as JSON, whatever may be changed. */
export function contentTag(content: unknown): string {
  return `"c${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32)}"`;
}

/**
 * Whether a change that was made for what `If-Match` names may be made to what there is now, RFC 9110, section 13.1.1. Without the
 * header it may: a client that leaves it out accepts to overwrite concurrent changes.
 */
export function mayChange(ifMatch: string | undefined, current: string): boolean {
  if (ifMatch === undefined) return true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(current);
}
