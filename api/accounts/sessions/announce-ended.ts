import type { Channels } from '#api/shared-state/port.ts';
import { SESSIONS_ENDED } from '../admin/announce-change.ts';

/**
 * Notifies all processes that one session, or all sessions of a user, have ended, so that they close live feeds
 * immediately. Never rejects: each process also polls.
 */
export type AnnounceEnded = (ended: { readonly sessionId: string } | { readonly userId: string }) => Promise<void>;

export function createAnnounceEnded({ channels }: { readonly channels: Pick<Channels, 'publish'> }): AnnounceEnded {
  return (ended) => channels.publish(SESSIONS_ENDED, JSON.stringify(ended)).catch(() => {});
}
