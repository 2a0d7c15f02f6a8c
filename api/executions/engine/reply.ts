import type { CloudEvent } from './port.ts';

/** Characters of the id of an event that can have a reply. */
export const MAX_REPLIED_ID = 200;

/**
 * Id of the event that an event replies to: the attribute `causationid` of the CloudEvents extension "correlation", which names the event that directly
 * caused this one. Null: it is no reply.
 */
export function repliesTo(event: CloudEvent): string | null {
  const { causationid: id } = event;
  return typeof id === 'string' && id !== '' && id.length <= MAX_REPLIED_ID && !id.includes('\0') ? id : null;
}
