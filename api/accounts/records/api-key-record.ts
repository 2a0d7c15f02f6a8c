import type {
  ApiKeyBody,
  CreatedApiKeyBody,
  NewApiKeyBody,
  RotatedApiKeyBody,
  RotationBody,
} from '#schemas/api/api-keys.ts';
import type { CreatedApiKey, NewApiKey } from '../keys/create-key.ts';
import type { RotatedKey } from '../keys/rotate-key.ts';
import type { ListedApiKey } from '../tables/api-keys.ts';

/** Converts a key to its representation in lists. */
export function apiKeyRecord(key: ListedApiKey): ApiKeyBody {
  return {
    keyId: key.keyId,
    label: key.label,
    scopes: key.scopes,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revoked: key.revokedAt !== null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    rotatedAt: key.rotatedAt?.toISOString() ?? null,
    previousUntil: key.previousUntil?.toISOString() ?? null,
    networks: key.networks,
    workflows: namesOf(key.resources, 'workflow'),
    agents: namesOf(key.resources, 'agent'),
    requestsPerMinute: key.requestsPerMinute,
    requestsPerDay: key.requestsPerDay,
    leakedAt: key.leakedAt?.toISOString() ?? null,
  };
}

function namesOf(resources: readonly string[], kind: 'workflow' | 'agent'): string[] {
  return resources.flatMap((resource) => (resource.startsWith(`${kind}:`) ? [resource.slice(kind.length + 1)] : []));
}

/** Returns the resources of a request for a key. Undefined if it names none. */
export function resourcesOf({
  workflows,
  agents,
}: {
  readonly workflows?: readonly string[] | undefined;
  readonly agents?: readonly string[] | undefined;
}): string[] | undefined {
  if (workflows === undefined && agents === undefined) return undefined;
  return [...(workflows ?? []).map((name) => `workflow:${name}`), ...(agents ?? []).map((name) => `agent:${name}`)];
}

/** Converts a request for a key to the input of `createKey`. */
export function wantedApiKey(userId: string, body: NewApiKeyBody): NewApiKey {
  const { label, scopes, expiresAt, networks, requestsPerMinute, requestsPerDay } = body;
  return {
    userId,
    label,
    scopes,
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    networks,
    resources: resourcesOf(body),
    requestsPerMinute,
    requestsPerDay,
  };
}

/** Returns the response that contains the key once. */
export function createdApiKeyRecord(
  { apiKey, keyId, scopes, expiresAt }: CreatedApiKey,
  wanted: NewApiKey,
): CreatedApiKeyBody {
  return {
    apiKey,
    keyId,
    label: wanted.label,
    scopes: [...scopes],
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** Returns the rotation that a request describes. */
export function wantedRotation({ overlapSeconds, expiresAt }: RotationBody) {
  return { overlapSeconds, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) };
}

/** Returns the response to a rotation. */
export function rotatedApiKeyRecord({ previousUntil, expiresAt, ...rotated }: RotatedKey): RotatedApiKeyBody {
  return { ...rotated, previousUntil: previousUntil.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
}
