import { z } from 'zod';
import type { SealedColumn } from '#api/postgres/sealed-column.ts';
import type { Seal } from '../second-factor/check-code.ts';
import { type ProviderSession, ProviderUnavailable, type SignInProvider } from './provider.ts';

/**
 * Encrypts the data that a provider needs to end its session, for storage in the local session row. The data can
 * include an ID token with personal data.
 */
export type SealProviderSession = (provider: string, session: ProviderSession) => Buffer;

/**
 * Returns the provider URL that also ends the provider's session, after the local session has ended. Undefined if the
 * provider's session continues. Never rejects because of the provider: the local session has ended in any case.
 */
export type ProviderSignOut = (sealed: Buffer) => Promise<string | undefined>;

const CONTEXT = 'provider session';
/** The columns of sessions, and of sign-ins that wait for their second step. */
export const SEALED_PROVIDER_SESSIONS: readonly SealedColumn[] = [
  providerSessionsIn('sessions', 'sessions at identity providers'),
  providerSessionsIn('pending_sign_ins', 'sessions at identity providers, of pending sign-ins'),
];
const sealedSchema = z.object({ provider: z.string(), session: z.record(z.string(), z.string()) });

export function createSealProviderSession({ seal }: { readonly seal: Seal }): SealProviderSession {
  return (provider, session) => seal.seal(JSON.stringify({ provider, session }), CONTEXT);
}

/** The page to which the browser returns. Providers compare it with the registered URLs of this service. */
export function signedOutUrl(publicUrl: string): string {
  return `${publicUrl}/sign-in`;
}

export function createProviderSignOut(deps: {
  readonly providers: readonly SignInProvider[];
  readonly seal: Seal;
  readonly publicUrl: () => string;
  readonly logger: { warn(fields: object, message: string): void };
}): ProviderSignOut {
  const byId = new Map(deps.providers.map((provider) => [provider.id, provider]));
  return async (sealed) => {
    // Undefined after the sealing secret was removed.
    const opened = deps.seal.open(sealed, CONTEXT);
    if (opened === undefined) return undefined;
    const { provider: id, session } = sealedSchema.parse(JSON.parse(opened));
    const provider = byId.get(id);
    try {
      return (await provider?.signOutUrl?.(session, signedOutUrl(deps.publicUrl())))?.href;
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      deps.logger.warn({ provider: id, reason: error.message }, 'cannot end the session at the identity provider');
      return undefined;
    }
  };
}

function providerSessionsIn(table: string, values: string): SealedColumn {
  return { values, table, column: 'provider_session', key: ['id'], contextOf: () => CONTEXT };
}
