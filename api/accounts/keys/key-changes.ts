import { z } from 'zod';
import type { Channels } from '#api/shared-state/port.ts';

/** A change that can affect the rights of keys: of the key, or of its account (role, disabled, end date). */
export type KeyChange = { readonly keyId: string } | { readonly userId: string };

const changeSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('not JSON');
      return z.NEVER;
    }
  })
  .pipe(z.union([z.strictObject({ keyId: z.string() }), z.strictObject({ userId: z.string() })]));

/** Notifies every process that cached keys are outdated. Call it after the change is committed. */
export interface KeyChanges {
  /**
   * This process has applied the change when the promise resolves; other processes do so within milliseconds. Never
   * rejects: without the shared state, their cached states expire.
   */
  announce(change: KeyChange): Promise<void>;
  /**
   * Resolves when it is subscribed to the other processes, or when the subscription is impossible. The returned
   * function unsubscribes.
   */
  listen(listener: (change: KeyChange) => void): Promise<() => Promise<void>>;
}

const CHANNEL = 'key-changes';

export function createKeyChanges({ channels }: { readonly channels: Channels }): KeyChanges {
  const listeners = new Set<(change: KeyChange) => void>();
  return {
    async announce(change) {
      for (const listener of listeners) listener(change);
      try {
        await channels.publish(CHANNEL, JSON.stringify(change));
      } catch {
        // Redis is unavailable. Other processes cache states for less than half a second, so they read the change soon.
      }
    },
    async listen(listener) {
      listeners.add(listener);
      const heard = (message: string) => {
        const change = changeSchema.safeParse(message);
        if (change.success) listener(change.data);
      };
      const end = await channels.subscribe(CHANNEL, heard).catch(() => undefined);
      return async () => {
        listeners.delete(listener);
        await end?.();
      };
    },
  };
}
