import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { sessionOf } from '#api/http/access/session-of.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import {
  passkeyIdSchema,
  passkeyNameSchema,
  passkeyOptionsSchema,
  passkeyRegistrationSchema,
  passkeySchema,
  recoveryCodesSchema,
} from '#schemas/api/second-factor.ts';
import type { OwnPasskeys } from '../../second-factor/own-passkeys.ts';
import type { Passkey } from '../../tables/passkeys.ts';

const CONFIRMED = 'Requires a session that was opened or confirmed within the last ten minutes (403 otherwise).';

function passkeyRecord({ id, name, createdAt, lastUsedAt, synced }: Passkey) {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null, synced };
}

/**
 * Passkeys of the caller: /api/user/passkeys.
 * Long: it has one entry per route.
 */
export function passkeyRoutes(app: ApiServer, { passkeys }: { readonly passkeys: OwnPasskeys }): void {
  const config = { access: { by: 'session' } } as const;
  const tags = ['accounts'];

  app.get(
    '/api/user/passkeys',
    {
      config,
      schema: {
        operationId: 'listPasskeys',
        summary: 'List your passkeys',
        description: 'Oldest first.',
        tags,
        response: {
          200: z
            .object({
              data: z.array(passkeySchema),
              available: z
                .boolean()
                .describe(
                  'Whether browsers offer passkeys for the URL of this server: https, or localhost, and not an IP address',
                ),
            })
            .describe('The passkeys.'),
          ...errorResponses(401, 429, 503),
        },
      },
    },
    async ({ caller }) => ({
      data: (await passkeys.list(sessionOf(caller))).map(passkeyRecord),
      available: passkeys.available(),
    }),
  );

  app.post(
    '/api/user/passkeys/options',
    {
      config,
      schema: {
        operationId: 'startPasskey',
        summary: 'Begin to add a passkey',
        description: `Options for \`navigator.credentials.create\`, valid once and for five minutes. ${CONFIRMED}`,
        tags,
        response: { 200: passkeyOptionsSchema, ...errorResponses(401, 403, 409, 429, 503) },
      },
    },
    async ({ caller }) => ({ ...(await passkeys.startOwn(sessionOf(caller))) }),
  );

  app.post(
    '/api/user/passkeys',
    {
      config,
      schema: {
        operationId: 'addPasskey',
        summary: 'Add a passkey',
        description: `Adding the first factor of an account ends its other sessions and returns recovery codes. ${CONFIRMED}`,
        tags,
        body: z.strictObject({ name: passkeyNameSchema, response: passkeyRegistrationSchema }),
        response: {
          201: z.object({ passkey: passkeySchema, recoveryCodes: recoveryCodesSchema.optional() }).describe('Added.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { name, response } = request.body;
      const added = await passkeys.addOwn(
        sessionOf(request.caller),
        { name, response: response as RegistrationResponseJSON },
        originOf(request),
      );
      const { recoveryCodes: codes } = added;
      return reply
        .code(201)
        .send({ passkey: passkeyRecord(added.passkey), ...(codes === undefined ? {} : { recoveryCodes: [...codes] }) });
    },
  );

  app.patch(
    '/api/user/passkeys/:id',
    {
      config,
      schema: {
        operationId: 'renamePasskey',
        summary: 'Rename a passkey',
        description: 'Changes only the name.',
        tags,
        params: z.strictObject({ id: passkeyIdSchema }),
        body: z.strictObject({ name: passkeyNameSchema }),
        response: { 204: z.null().describe('Renamed.'), ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503) },
      },
    },
    async (request, reply) => {
      await passkeys.rename(sessionOf(request.caller), request.params.id, request.body.name, originOf(request));
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/user/passkeys/:id',
    {
      config,
      schema: {
        operationId: 'removePasskey',
        summary: 'Remove a passkey',
        description: `409 if it is the only second factor and the role requires one. ${CONFIRMED}`,
        tags,
        params: z.strictObject({ id: passkeyIdSchema }),
        response: { 204: z.null().describe('Removed.'), ...errorResponses(400, 401, 403, 404, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      await passkeys.remove(sessionOf(request.caller), request.params.id, originOf(request));
      return reply.code(204).send(null);
    },
  );
}
