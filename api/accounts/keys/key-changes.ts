import { z } from 'zod';
import type { Channels } from '#api/shared-state/port.ts';

/** What may have changed what a key may do: the key itself, or the account it belongs to (role, disabled, end date). */
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

/** Notifies every process that its cached keys are out of date. Call it when the change is committed. */
export interface KeyChanges {
  /** This process knows when it returns, the others within milliseconds. Never rejects: without the shared state they find out by age. */
  announce(change: KeyChange): Promise<void>;
  /** Resolves when it listens to the other processes too, or when they can't be heard; the function ends it. */
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
        // Redis is unavailable. The other processes keep answers for half a second at most, so they learn of the change by polling.
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
