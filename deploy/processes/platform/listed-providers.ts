import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IdentityProviderConfig } from '#api/accounts/oauth/identity-provider.ts';
import type { SamlProviderConfig } from '#api/accounts/saml/saml-provider.ts';
import type { ListedProvider } from '../../config/identity-providers.ts';

export interface ListedProviders {
  readonly oidc: readonly IdentityProviderConfig[];
  readonly saml: readonly SamlProviderConfig[];
}

type ReadFile = (path: string) => string;

/**
 * Returns the providers of IDENTITY_PROVIDERS with the contents of their files.
 * @throws Error if a file cannot be read, or a certificate is invalid
 */
export function listedProviders(
  list: readonly ListedProvider[],
  readFile: ReadFile = (path) => readFileSync(path, 'utf8'),
): ListedProviders {
  return {
    oidc: list.flatMap((one) => (one.protocol === 'oidc' ? [openIdProvider(one, readFile)] : [])),
    saml: list.flatMap((one) => (one.protocol === 'saml' ? [samlProvider(one, readFile)] : [])),
  };
}

function openIdProvider(
  one: Extract<ListedProvider, { readonly protocol: 'oidc' }>,
  readFile: ReadFile,
): IdentityProviderConfig {
  const { id, name, issuer, clientId, clientSecret, clientSecretFile, scopes, claims, emailVerified, signOut } = one;
  return {
    issuer,
    clientId,
    clientSecret: clientSecret ?? contentOf(id, clientSecretFile as string, readFile),
    listed: { id, name, scopes, claims, emailVerified, policy: policyOf(one), signOut },
  };
}

function samlProvider(
  one: Extract<ListedProvider, { readonly protocol: 'saml' }>,
  readFile: ReadFile,
): SamlProviderConfig {
  const { id, name, entityId, signInUrl, signOutUrl, serviceEntityId, signatures, claims, idpInitiated, returnPaths } =
    one;
  const pair = (files: typeof one.signing) =>
    files && {
      key: contentOf(id, files.keyFile, readFile),
      certificate: certificate(id, contentOf(id, files.certificateFile, readFile)),
    };
  return {
    id,
    name,
    policy: policyOf(one),
    entityId,
    signInUrl,
    signOutUrl,
    signOutBinding: one.signOutBinding,
    signOut: one.signOut,
    certificates: [...one.certificates, ...one.certificateFiles.map((path) => contentOf(id, path, readFile))].map(
      (text) => certificate(id, text),
    ),
    serviceEntityId,
    signing: pair(one.signing),
    decryption: pair(one.decryption),
    signatures,
    claims,
    idpInitiated,
    returnPaths,
  };
}

function policyOf({ allowedDomains, signUp, linking, roles, teams }: ListedProvider) {
  return { allowedDomains, signUp, linking, roles, teams };
}

/** Returns a certificate in the form that libraries expect. */
function certificate(id: string, text: string): string {
  try {
    return new X509Certificate(text).toString();
  } catch (error) {
    throw new Error(`IDENTITY_PROVIDERS: a certificate of provider ${id} is not a PEM certificate`, { cause: error });
  }
}

function contentOf(id: string, path: string, readFile: ReadFile): string {
  let text: string;
  try {
    text = readFile(path).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`IDENTITY_PROVIDERS: the file ${path} of provider ${id} cannot be read`, { cause: error });
  }
  if (text === '') throw new Error(`IDENTITY_PROVIDERS: the file ${path} of provider ${id} is empty`);
  return text;
}
