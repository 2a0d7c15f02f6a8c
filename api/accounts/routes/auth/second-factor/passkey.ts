import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import {
  passkeyAuthenticationSchema,
  passkeyNameSchema,
  passkeyOptionsSchema,
  passkeyRegistrationSchema,
} from '#schemas/api/second-factor.ts';
import type { PasskeySignIn } from '../../../second-factor/passkey-sign-in.ts';
import type { SessionCookie } from '../../../sessions/session-cookie.ts';
import { completedRecord, completedSchema } from './second-step.ts';
import { secondStepCookie } from './second-step-cookie.ts';

export interface PasskeySignInRouteDeps {
  readonly passkeySignIn: PasskeySignIn;
  readonly sessionCookie: SessionCookie;
}

/**
 * Sign-in with passkeys: as the second step, or without a password.
 * Long: it has one entry per route.
 */
export function passkeySignInRoutes(app: ApiServer, { passkeySignIn, sessionCookie }: PasskeySignInRouteDeps): void {
  const config = { access: { by: 'anyone' } } as const;
  const tags = ['accounts'];
  const cookie = secondStepCookie(sessionCookie);
  const optionsResponse = { 200: passkeyOptionsSchema, ...errorResponses(401, 409, 429, 503) };
  const completedResponse = {
    200: completedSchema.describe('Signed in; the cookie is in `set-cookie`.'),
    ...errorResponses(400, 401, 409, 413, 415, 429, 503),
  };

  app.post(
    '/api/auth/second-factor/passkey/options',
    {
      config,
      schema: {
        operationId: 'startPasskeyStep',
        summary: 'Begin the second step with a passkey',
        description: 'Options for `navigator.credentials.get`, valid once and for five minutes.',
        tags,
        response: optionsResponse,
      },
    },
    async (request) => ({ ...(await passkeySignIn.startStep(cookie.read(request))) }),
  );

  app.post(
    '/api/auth/second-factor/passkey',
    {
      config,
      schema: {
        operationId: 'verifyPasskeyStep',
        summary: 'Complete a sign-in with a passkey',
        description: 'Opens the session with a signature of a passkey of the account.',
        tags,
        body: z.strictObject({ response: passkeyAuthenticationSchema }),
        response: completedResponse,
      },
    },
    async (request, reply) => {
      const response = request.body.response as AuthenticationResponseJSON;
      const completed = await passkeySignIn.verifyStep(cookie.read(request), response, originOf(request));
      cookie.complete(reply, completed.session);
      return completedRecord(completed);
    },
  );

  app.post(
    '/api/auth/second-factor/passkey/enrol/options',
    {
      config,
      schema: {
        operationId: 'startRequiredPasskey',
        summary: 'Begin to add a passkey during a sign-in',
        description: 'For an account without a second factor whose role requires one.',
        tags,
        response: optionsResponse,
      },
    },
    async (request) => ({ ...(await passkeySignIn.startRequired(cookie.read(request))) }),
  );

  app.post(
    '/api/auth/second-factor/passkey/enrol',
    {
      config,
      schema: {
        operationId: 'addRequiredPasskey',
        summary: 'Complete a sign-in with a new passkey',
        description: 'Adds the passkey, opens the session, and returns recovery codes.',
        tags,
        body: z.strictObject({ name: passkeyNameSchema, response: passkeyRegistrationSchema }),
        response: completedResponse,
      },
    },
    async (request, reply) => {
      const { name, response } = request.body;
      const added = { name, response: response as RegistrationResponseJSON };
      const completed = await passkeySignIn.addRequired(cookie.read(request), added, originOf(request));
      cookie.complete(reply, completed.session);
      return completedRecord(completed);
    },
  );

  app.post(
    '/api/auth/passkey/options',
    {
      config,
      schema: {
        operationId: 'startPasskeySignIn',
        summary: 'Begin a sign-in with a passkey',
        description:
          'Options for `navigator.credentials.get`, valid once and for five minutes. They contain no account.',
        tags,
        response: { 200: passkeyOptionsSchema, ...errorResponses(409, 429, 503) },
      },
    },
    async () => ({ ...(await passkeySignIn.startSignIn()) }),
  );

  app.post(
    '/api/auth/passkey',
    {
      config,
      schema: {
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description:
          'Sign-in without a password: the authenticator must have verified the user by a PIN, a fingerprint or a face. Counts as a sign-in with a second factor.',
        tags,
        body: z.strictObject({ response: passkeyAuthenticationSchema }),
        response: {
          200: completedSchema.describe('Signed in; the cookie is in `set-cookie`.'),
          ...errorResponses(400, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const completed = await passkeySignIn.signIn(
        request.body.response as AuthenticationResponseJSON,
        originOf(request),
      );
      cookie.complete(reply, completed.session);
      return completedRecord(completed);
    },
  );
}
