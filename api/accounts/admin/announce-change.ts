import type { Channels } from '#api/shared-state/port.ts';
import type { KeyChanges } from '../keys/key-changes.ts';

/** Channel: all sessions of a user have ended, on every process. Message: `{"userId": …}`. */
export const SESSIONS_ENDED = 'sessions.ended';
/** Channel: the role of a user has changed. Message: `{"userId": …}`. */
export const ROLES_CHANGED = 'roles.changed';

/** Notifies all processes of a change of an account, so that they close live feeds and drop cached keys immediately. */
export interface AccountAnnouncements {
  /**
   * Call it after the change is committed. Never rejects: a process that misses the message reads the new state within
   * seconds.
   */
  announce(userId: string, what: { readonly sessionsEnded: boolean; readonly roleChanged: boolean }): Promise<void>;
}

export function createAccountAnnouncements(deps: {
  readonly channels: Channels;
  readonly keyChanges: Pick<KeyChanges, 'announce'>;
}): AccountAnnouncements {
  const { channels, keyChanges } = deps;
  return {
    async announce(userId, { sessionsEnded, roleChanged }) {
      const message = JSON.stringify({ userId });
      const announced = [
        ...(sessionsEnded ? [channels.publish(SESSIONS_ENDED, message)] : []),
        ...(roleChanged ? [channels.publish(ROLES_CHANGED, message)] : []),
      ];
      await Promise.allSettled([keyChanges.announce({ userId }), ...announced]);
    },
  };
}
