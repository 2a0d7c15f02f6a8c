import type { FetchBounds } from './bounded-fetch.ts';
import type { IdentityProviderConfig } from './identity-provider.ts';
import type { SignInProvider } from './provider.ts';

/** The settings of the providers; a client that is not set disables its provider, and half of one never gets through start-up. */
export interface ProvidersConfig {
  readonly identityProvider: IdentityProviderConfig | undefined;
  readonly codeHost: {
    /** Its REST API. */
    readonly url: string;
    readonly authUrl: string;
    readonly client: { readonly clientId: string; readonly clientSecret: string } | undefined;
  };
  /** Those of the list, in the order to show them. */
  readonly listedProviders?: readonly IdentityProviderConfig[] | undefined;
}

/** The providers that are enabled. Their client is read in only where there is one. */
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
