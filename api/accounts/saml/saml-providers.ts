import type { Database } from '#api/postgres/database.ts';
import type { Seal } from '../second-factor/check-code.ts';
import type { SamlProvider, SamlProviderConfig } from './saml-provider.ts';
import { createTakeAnswer } from './take-answer.ts';

/** Creates the SAML providers. Their library is loaded only if there is one. */
export async function createSamlProviders(
  configs: readonly SamlProviderConfig[],
  { database, publicUrl, seal }: { readonly database: Database; readonly publicUrl: () => string; readonly seal: Seal },
): Promise<SamlProvider[]> {
  if (configs.length === 0) return [];
  const { createSamlProvider } = await import('./saml-provider.ts');
  const takeAnswer = createTakeAnswer({ database });
  return configs.map((config) => createSamlProvider(config, { publicUrl, takeAnswer, seal }));
}
