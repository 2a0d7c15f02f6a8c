import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { profileSchema } from '#schemas/api/profile.ts';
import {
  newTotpSchema,
  recoveryCodesSchema,
  secondFactorCodeSchema,
  secondStepSchema,
  totpCodeSchema,
} from '#schemas/api/second-factor.ts';
import { profileRecord } from '../../../records/profile-record.ts';
import type { OwnPasskeys } from '../../../second-factor/own-passkeys.ts';
import type { CompletedSignIn, SecondStepSignIn } from '../../../second-factor/second-step-sign-in.ts';
import type { SessionCookie } from '../../../sessions/session-cookie.ts';
import { secondStepCookie } from './second-step-cookie.ts';

export interface SecondStepRouteDeps {
  readonly secondStep: SecondStepSignIn;
  readonly passkeys: Pick<OwnPasskeys, 'available'>;
  readonly sessionCookie: SessionCookie;
}

export const completedSchema = z.object({
  user: profileSchema,
  returnTo: z
    .string()
    .nullable()
    .describe('Path of the requested page; null: none was requested')
    .meta({ example: '/dashboard' }),
  recoveryCodes: recoveryCodesSchema.optional(),
});

/** Returns the JSON response of a completed sign-in. */
export function completedRecord({ user, returnTo, recoveryCodes }: CompletedSignIn) {
  return {
    user: profileRecord(user),
    returnTo,
    ...(recoveryCodes === undefined ? {} : { recoveryCodes: [...recoveryCodes] }),
  };
}

/**
 * The second step of a sign-in: /api/auth/second-factor.
 * Long: it has one entry per route.
 */
export function secondStepRoutes(app: ApiServer, { secondStep, passkeys, sessionCookie }: SecondStepRouteDeps): void {
  const config = { access: { by: 'anyone' } } as const;
  const tags = ['accounts'];
  const cookie = secondStepCookie(sessionCookie);

  app.get(
    '/api/auth/second-factor',
    {
      config,
      schema: {
        operationId: 'getSecondStep',
        summary: 'Read the pending sign-in',
        description: 'Identified by the cookie that a sign-in sets with its 202.',
        tags,
        response: {
          200: z
            .object({
              waiting: secondStepSchema
                .extend({
                  email: z.string().describe('E-mail address of the account').meta({ example: 'ada@example.org' }),
                  totp: z.boolean().describe('Whether a code of an authenticator app is accepted'),
                  passkey: z.boolean().describe('Whether a passkey is accepted'),
                  recoveryCode: z.boolean().describe('Whether a recovery code is accepted'),
                })
                .nullable()
                .describe('null: no sign-in is pending'),
              passkeys: z.boolean().describe('Whether a sign-in with a passkey is possible at the URL of this server'),
            })
            .describe('The sign-in.'),
          ...errorResponses(429, 503),
        },
      },
    },
    async (request) => {
      const available = passkeys.available();
      const found = await secondStep.find(cookie.read(request));
      if (found === undefined) return { waiting: null, passkeys: available };
      const { pending, user, factors } = found;
      return {
        passkeys: available,
        waiting: {
          step: pending.step,
          expiresAt: pending.expiresAt.toISOString(),
          email: user.email,
          totp: factors.totp,
          passkey: factors.passkeys > 0,
          recoveryCode: factors.recoveryCodesLeft > 0,
        },
      };
    },
  );

  app.post(
    '/api/auth/second-factor',
    {
      config,
      schema: {
        operationId: 'verifySecondFactor',
        summary: 'Complete a sign-in with a code',
        description:
          'Opens the session with a code of the authenticator app or a recovery code. Each code is valid once. Limits: ten attempts in ten minutes and a hundred per day for one account, from all IP addresses.',
        tags,
        body: z.strictObject({ code: secondFactorCodeSchema }),
        response: {
          200: completedSchema.describe('Signed in; the cookie is in `set-cookie`.'),
          ...errorResponses(400, 401, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const completed = await secondStep.verifyCode(cookie.read(request), request.body.code, originOf(request));
      cookie.complete(reply, completed.session);
      return completedRecord(completed);
    },
  );

  app.post(
    '/api/auth/second-factor/cancel',
    {
      config,
      schema: {
        operationId: 'cancelSecondStep',
        summary: 'Cancel a pending sign-in',
        description: 'Its cookie becomes invalid.',
        tags,
        response: { 204: z.undefined().describe('The sign-in is cancelled.'), ...errorResponses(429, 503) },
      },
    },
    async (request, reply) => {
      await secondStep.cancel(cookie.read(request));
      cookie.clear(reply);
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/auth/second-factor/totp',
    {
      config,
      schema: {
        operationId: 'startRequiredTotp',
        summary: 'Enrol an authenticator app during a sign-in',
        description:
          'For an account without a second factor whose role requires one. The secret is not accepted until one of its codes is sent to POST /api/auth/second-factor/totp/confirm.',
        tags,
        response: {
          200: newTotpSchema.describe('The secret. Only this response contains it.'),
          ...errorResponses(401, 409, 429, 503),
        },
      },
    },
    (request) => secondStep.startTotp(cookie.read(request)),
  );

  app.post(
    '/api/auth/second-factor/totp/confirm',
    {
      config,
      schema: {
        operationId: 'confirmRequiredTotp',
        summary: 'Complete a sign-in with a new authenticator app',
        description: 'Enrols the app with its first code, opens the session, and returns recovery codes.',
        tags,
        body: z.strictObject({ code: totpCodeSchema }),
        response: {
          200: completedSchema.describe('Signed in; the cookie is in `set-cookie`.'),
          ...errorResponses(400, 401, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const completed = await secondStep.confirmTotp(cookie.read(request), request.body.code, originOf(request));
      cookie.complete(reply, completed.session);
      return completedRecord(completed);
    },
  );
}
