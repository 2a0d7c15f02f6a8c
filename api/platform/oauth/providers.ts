import type { FetchBounds } from './bounded-fetch.ts';
import { createCodeHost } from './code-host.ts';
import { createIdentityProvider, type IdentityProviderConfig } from './identity-provider.ts';
import type { SignInProvider } from './provider.ts';

/** The settings of both providers; a client that is not set disables its provider, and half of one never gets through start-up. */
export interface ProvidersConfig {
  readonly identityProvider: IdentityProviderConfig | undefined;
  readonly codeHost: {
    /** Its REST API. */
    readonly url: string;
    readonly authUrl: string;
    readonly client: { readonly clientId: string; readonly clientSecret: string } | undefined;
  };
}

/** The providers that are enabled. */
export function createProviders(
  { identityProvider, codeHost }: ProvidersConfig,
  bounds?: FetchBounds,
): SignInProvider[] {
  const { url: apiUrl, authUrl, client } = codeHost;
  return [
    ...(identityProvider === undefined ? [] : [createIdentityProvider(identityProvider, bounds)]),
    ...(client === undefined ? [] : [createCodeHost({ authUrl, apiUrl, ...client }, bounds)]),
  ];
}
