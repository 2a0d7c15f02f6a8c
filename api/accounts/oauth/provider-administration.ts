import type { Database } from '#api/postgres/database.ts';
import { countIdentities } from '../tables/oauth-identities.ts';
import { type ProviderFacts, ProviderUnavailable, type SignInProvider } from './provider.ts';
import { DEFAULT_POLICY, type ProviderPolicy } from './provider-policy.ts';

/** A provider in the administration, without secrets. */
export interface AdministeredProvider extends ProviderFacts {
  readonly id: string;
  readonly name: string;
  readonly policy: ProviderPolicy;
  /** Callback URL, to be registered at the provider. */
  readonly callbackUrl: string;
  /** URL of the SAML metadata of this service. Undefined for other protocols. */
  readonly metadataUrl: string | undefined;
  /** URL at which the provider ends sessions of this service. Undefined if it cannot. */
  readonly logoutUrl: string | undefined;
  /** Number of accounts with an identity of this provider. */
  readonly identities: number;
}

/** Result of a connection test. */
export interface ProviderTest {
  readonly ok: boolean;
  /** Description of the problem, or null. */
  readonly problem: string | null;
}

export interface ProviderAdministration {
  /** In the order of the sign-in page. */
  list(): Promise<AdministeredProvider[]>;
  /** Undefined if there is no such provider. */
  test(id: string): Promise<ProviderTest | undefined>;
}

const MAX_CAUSES = 5;

export function createProviderAdministration(deps: {
  readonly providers: readonly SignInProvider[];
  readonly database: Database;
  readonly publicUrl: () => string;
}): ProviderAdministration {
  const { providers, database, publicUrl } = deps;
  return {
    async list() {
      const counts = await countIdentities(database);
      return providers.map(({ id, name, policy = DEFAULT_POLICY, facts, logoutPath }) => {
        const saml = facts.protocol === 'saml';
        const base = `${publicUrl()}/api/auth`;
        return {
          id,
          name,
          policy,
          ...facts,
          callbackUrl: saml ? `${base}/saml/${id}/acs` : `${base}/callback/${id}`,
          metadataUrl: saml ? `${base}/saml/${id}/metadata` : undefined,
          logoutUrl: logoutPath === undefined ? undefined : publicUrl() + logoutPath,
          identities: counts.get(id) ?? 0,
        };
      });
    },
    async test(id) {
      const provider = providers.find((one) => one.id === id);
      if (provider === undefined) return undefined;
      try {
        await provider.test();
        return { ok: true, problem: null };
      } catch (error) {
        if (!(error instanceof ProviderUnavailable)) throw error;
        return { ok: false, problem: reasonOf(error) };
      }
    },
  };
}

/** Joins the messages of this service in the chain of causes. The libraries in between wrap errors. */
function reasonOf(error: ProviderUnavailable): string {
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error && messages.length < MAX_CAUSES; at = at.cause)
    if (at instanceof ProviderUnavailable) messages.push(at.message);
  return messages.join(': ');
}
