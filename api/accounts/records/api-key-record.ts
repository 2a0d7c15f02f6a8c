import type { ApiKeyBody, CreatedApiKeyBody, NewApiKeyBody } from '#schemas/api/api-keys.ts';
import type { CreatedApiKey, NewApiKey } from '../keys/create-key.ts';
import type { ListedApiKey } from '../tables/api-keys.ts';

/** A key as a list shows it. */
export function apiKeyRecord(key: ListedApiKey): ApiKeyBody {
  return {
    keyId: key.keyId,
    label: key.label,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revoked: key.revokedAt !== null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}

/** A request for a key, in the words of the rules. */
export function wantedApiKey(userId: string, { label, scopes, expiresAt }: NewApiKeyBody): NewApiKey {
  return { userId, label, scopes, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) };
}

/** The response that contains the key, once. */
export function createdApiKeyRecord({ apiKey, keyId, scopes }: CreatedApiKey, wanted: NewApiKey): CreatedApiKeyBody {
  return {
    apiKey,
    keyId,
    label: wanted.label,
    scopes: [...scopes],
    expiresAt: wanted.expiresAt?.toISOString() ?? null,
  };
}
