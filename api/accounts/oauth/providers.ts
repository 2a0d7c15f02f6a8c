import type { FetchBounds } from './bounded-fetch.ts';
import type { IdentityProviderConfig } from './identity-provider.ts';
import type { SignInProvider } from './provider.ts';

/** Settings of the providers. A provider without a client is disabled; start-up rejects an incomplete client. */
export interface ProvidersConfig {
  readonly identityProvider: IdentityProviderConfig | undefined;
  readonly codeHost: {
    /** Base URL of its REST API. */
    readonly url: string;
    readonly authUrl: string;
    readonly client: { readonly clientId: string; readonly clientSecret: string } | undefined;
  };
  /** Listed providers, in display order. */
  readonly listedProviders?: readonly IdentityProviderConfig[] | undefined;
}

/** Creates the enabled providers. Their client libraries are loaded only if needed. */
export async function createProviders(
  { identityProvider, codeHost, listedProviders = [] }: ProvidersConfig,
  bounds?: FetchBounds,
): Promise<SignInProvider[]> {
  const providers: SignInProvider[] = [];
  const openIdProviders = [...(identityProvider === undefined ? [] : [identityProvider]), ...listedProviders];
  if (openIdProviders.length > 0) {
    const { createIdentityProvider } = await import('./identity-provider.ts');
    for (const one of openIdProviders) providers.push(createIdentityProvider(one, bounds));
  }
  const { url: apiUrl, authUrl, client } = codeHost;
  if (client !== undefined) {
    const { createCodeHost } = await import('./code-host.ts');
    providers.push(createCodeHost({ authUrl, apiUrl, ...client }, bounds));
  }
  return providers;
}
