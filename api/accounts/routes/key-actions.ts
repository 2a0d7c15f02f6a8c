import { z } from 'zod';
import { actorOf, type Caller } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { keyIdSchema, rotatedApiKeySchema, rotationSchema } from '#schemas/api/api-keys.ts';
import type { RevokeKey } from '../keys/revoke-key.ts';
import type { RotateKey } from '../keys/rotate-key.ts';
import { rotatedApiKeyRecord, wantedRotation } from '../records/api-key-record.ts';

/** One of the two routes of an action on a key: that of the owner, and that of administrators for any key. */
export interface KeyActionRoute {
  readonly url: `${string}/:keyId${string}`;
  readonly access: { readonly by: 'session' | 'admin' };
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  /** Returns the user whose keys the route may change; undefined: the keys of all users. */
  readonly ownerId: (caller: Caller | undefined) => string | undefined;
}

/** Description of a revocation. */
export const REVOKED = 'The key is permanently invalid, in every process within a second. Idempotent.';

const params = z.strictObject({ keyId: keyIdSchema });

/** POST …/rotate: gives a key a new secret. */
export function rotateKeyRoute(
  app: ApiServer,
  rotateKey: RotateKey,
  { url, access, tags, operationId, summary, ownerId }: KeyActionRoute,
): void {
  app.post(
    url,
    {
      config: { access },
      schema: {
        operationId,
        summary,
        description:
          'Gives the key a new secret; its id, name, scopes and restrictions do not change. The previous secret stays valid for `overlapSeconds`, so that programs can be changed one by one. A secret of an earlier rotation becomes invalid immediately.',
        tags,
        params,
        body: rotationSchema,
        response: {
          200: rotatedApiKeySchema.describe('The new secret.'),
          ...errorResponses(400, 401, 403, 404, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request) =>
      rotatedApiKeyRecord(
        await rotateKey({
          keyId: request.params.keyId,
          ownerId: ownerId(request.caller),
          actor: actorOf(request.caller),
          origin: originOf(request),
          ...wantedRotation(request.body),
        }),
      ),
  );
}

/** DELETE: revokes a key. */
export function revokeKeyRoute(
  app: ApiServer,
  revokeKey: RevokeKey,
  { url, access, tags, operationId, summary, ownerId }: KeyActionRoute,
): void {
  app.delete(
    url,
    {
      config: { access },
      schema: {
        operationId,
        summary,
        description: REVOKED,
        tags,
        params,
        response: {
          204: z.undefined().describe('The key is revoked.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const revoked = await revokeKey({
        keyId: request.params.keyId,
        ownerId: ownerId(request.caller),
        actor: actorOf(request.caller),
        origin: originOf(request),
      });
      if (!revoked) throw apiError('not_found', 'there is no such key');
      return reply.code(204).send();
    },
  );
}
