import type { CloudEvent } from '../contract/cloud-event.ts';

/** Maximum length of the id of an event that can have a reply. */
export const MAX_REPLIED_ID = 200;

/**
 * Returns the id of the event that this event replies to, or null. It is the attribute `causationid` of the CloudEvents
 * extension "correlation", which names the direct cause of an event.
 */
export function repliesTo(event: CloudEvent): string | null {
  const { causationid: id } = event;
  return typeof id === 'string' && id !== '' && id.length <= MAX_REPLIED_ID && !id.includes('\0') ? id : null;
}
