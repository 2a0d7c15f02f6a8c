import type { Database } from '#api/postgres/database.ts';
import { countIdentities } from '../tables/oauth-identities.ts';
import { type ProviderFacts, ProviderUnavailable, type SignInProvider } from './provider.ts';
import { DEFAULT_POLICY, type ProviderPolicy } from './provider-policy.ts';

/** A provider as administrators see it: no secrets. */
export interface AdministeredProvider extends ProviderFacts {
  readonly id: string;
  readonly name: string;
  readonly policy: ProviderPolicy;
  /** Where the provider sends browsers back to; to be entered there. */
  readonly callbackUrl: string;
  /** Of SAML: where the metadata of this service is. */
  readonly metadataUrl: string | undefined;
  /** Where the provider ends sessions here; undefined when it cannot. */
  readonly logoutUrl: string | undefined;
  /** How many accounts it signs in. */
  readonly identities: number;
}

/** What a test of the connection found. */
export interface ProviderTest {
  readonly ok: boolean;
  /** What is wrong; null when nothing is. */
  readonly problem: string | null;
}

export interface ProviderAdministration {
  /** In the order of the sign-in page. */
  list(): Promise<AdministeredProvider[]>;
  /** Undefined when there is no such provider. */
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

/** The messages of this service in the chain of causes: the libraries between them wrap their errors. */
function reasonOf(error: ProviderUnavailable): string {
  const messages: string[] = [];
  for (let at: unknown = error; at instanceof Error && messages.length < MAX_CAUSES; at = at.cause)
    if (at instanceof ProviderUnavailable) messages.push(at.message);
  return messages.join(': ');
}
