import { z } from 'zod';
import { sessionOf } from '#api/http/access/session-of.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import {
  newTotpSchema,
  ownFactorsSchema,
  recoveryCodesSchema,
  secondFactorCodeSchema,
  totpCodeSchema,
} from '#schemas/api/second-factor.ts';
import type { OwnFactorChanges } from '../../second-factor/own-factors.ts';

/** Added to the description of each change. */
const CONFIRMED =
  'Requires a session that was opened or confirmed within the last ten minutes (403 otherwise): POST /api/user/second-factor/confirm.';

/**
 * Second factors of the caller: /api/user/second-factor. They do not affect API keys.
 * Long: it has one entry per route.
 */
export function ownFactorRoutes(app: ApiServer, { ownFactors }: { readonly ownFactors: OwnFactorChanges }): void {
  const config = { access: { by: 'session' } } as const;
  const tags = ['accounts'];

  app.get(
    '/api/user/second-factor',
    {
      config,
      schema: {
        operationId: 'getSecondFactors',
        summary: 'Read your second factors',
        description: 'Which second factors the account has. API keys work without them.',
        tags,
        response: { 200: ownFactorsSchema.describe('The second factors.'), ...errorResponses(401, 429, 503) },
      },
    },
    async ({ caller }) => {
      const { confirmedUntil, ...factors } = await ownFactors.read(sessionOf(caller));
      return { ...factors, confirmedUntil: confirmedUntil?.toISOString() ?? null };
    },
  );

  app.post(
    '/api/user/second-factor/confirm',
    {
      config,
      schema: {
        operationId: 'confirmSession',
        summary: 'Confirm your identity',
        description:
          'Permits this session to change second factors for ten minutes. Confirms with the password, under the limits of sign-in, or with a code. A sign-in also confirms.',
        tags,
        body: z.union([
          z.strictObject({ password: z.string().min(1).max(128).describe('Password of the account') }),
          z.strictObject({ code: secondFactorCodeSchema }),
        ]),
        response: {
          200: z
            .object({
              confirmedUntil: z
                .string()
                .describe('End of the ten minutes')
                .meta({ example: '2026-01-02T03:14:05.678Z' }),
            })
            .describe('Confirmed.'),
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const until = await ownFactors.confirm(sessionOf(request.caller), request.body, originOf(request));
      return { confirmedUntil: until.toISOString() };
    },
  );

  app.post(
    '/api/user/second-factor/totp',
    {
      config,
      schema: {
        operationId: 'startTotp',
        summary: 'Enrol an authenticator app',
        description: `The secret is not accepted until one of its codes is sent to POST /api/user/second-factor/totp/confirm. ${CONFIRMED}`,
        tags,
        response: {
          200: newTotpSchema.describe('The secret. Only this response contains it.'),
          ...errorResponses(401, 403, 409, 429, 503),
        },
      },
    },
    ({ caller }) => ownFactors.startTotp(sessionOf(caller)),
  );

  app.post(
    '/api/user/second-factor/totp/confirm',
    {
      config,
      schema: {
        operationId: 'confirmTotp',
        summary: 'Confirm an authenticator app',
        description: `Enrols the app with its first code. Enrolling the first factor of an account ends its other sessions and returns recovery codes. ${CONFIRMED}`,
        tags,
        body: z.strictObject({ code: totpCodeSchema }),
        response: {
          200: z.object({ recoveryCodes: recoveryCodesSchema.optional() }).describe('Enrolled.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request) => {
      const codes = await ownFactors.confirmTotp(sessionOf(request.caller), request.body.code, originOf(request));
      return codes === undefined ? {} : { recoveryCodes: [...codes] };
    },
  );

  app.delete(
    '/api/user/second-factor/totp',
    {
      config,
      schema: {
        operationId: 'removeTotp',
        summary: 'Remove the authenticator app',
        description: `409 if it is the only second factor and the role requires one. Removing the last factor also removes the recovery codes. ${CONFIRMED}`,
        tags,
        response: { 204: z.null().describe('The app is removed.'), ...errorResponses(401, 403, 404, 409, 429, 503) },
      },
    },
    async (request, reply) => {
      await ownFactors.removeTotp(sessionOf(request.caller), originOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/user/second-factor/recovery-codes',
    {
      config,
      schema: {
        operationId: 'createRecoveryCodes',
        summary: 'Create new recovery codes',
        description: `They replace all previous codes. ${CONFIRMED}`,
        tags,
        response: {
          200: z.object({ recoveryCodes: recoveryCodesSchema }).describe('The codes; they cannot be read again.'),
          ...errorResponses(401, 403, 409, 429, 503),
        },
      },
    },
    async (request) => ({
      recoveryCodes: [...(await ownFactors.createRecoveryCodes(sessionOf(request.caller), originOf(request)))],
    }),
  );
}
