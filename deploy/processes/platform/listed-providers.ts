import { readFileSync } from 'node:fs';
import type { IdentityProviderConfig } from '#api/accounts/oauth/identity-provider.ts';
import type { ListedProvider } from '../../config/identity-providers.ts';

/**
 * The providers of IDENTITY_PROVIDERS with the contents of the files that they name.
 * @throws Error when a file cannot be read
 */
export function listedProviders(
  list: readonly ListedProvider[],
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): IdentityProviderConfig[] {
  return list.map((one) => {
    const { id, name, issuer, clientId, clientSecret, clientSecretFile, scopes, claims, emailVerified } = one;
    const { allowedDomains, signUp, linking, roles, teams } = one;
    const policy = { allowedDomains, signUp, linking, roles, teams };
    return {
      issuer,
      clientId,
      clientSecret: clientSecret ?? secretOf(id, clientSecretFile as string, readFile),
      listed: { id, name, scopes, claims, emailVerified, policy },
    };
  });
}

function secretOf(id: string, path: string, readFile: (path: string) => string): string {
  let text: string;
  try {
    text = readFile(path).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`IDENTITY_PROVIDERS: the file ${path} of provider ${id} cannot be read`, { cause: error });
  }
  if (text === '') throw new Error(`IDENTITY_PROVIDERS: the file ${path} of provider ${id} is empty`);
  return text;
}
