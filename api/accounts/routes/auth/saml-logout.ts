import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { sendPostForm } from '#api/http/pages/post-form-page.ts';
import type { RefusedSignIn } from '../../oauth/refused-sign-in.ts';
import type { EndedSessions, SamlCallback } from '../../saml/saml-callback.ts';
import type { PostForm } from '../../saml/saml-logout.ts';
import { readFormBodies } from './form-bodies.ts';
import { inBothForms } from './oauth-responses.ts';
import { refuseMissingMessage, refuseSignOut, refuseUnknownProvider, refuseUnknownRequest } from './refuse-sign-out.ts';
import { providerParams } from './signin.ts';

type Deps = { readonly saml: Pick<SamlCallback, 'signOut' | 'signOutForm'> };

const MAX_FORM_BYTES = 256 * 1024;
const DESCRIPTION =
  'A SAML identity provider sends the browser here, with a signed request to end the sessions of a person. All sessions of the account end, and the browser returns to the provider. The response to a sign-out that began at this service is received at the same URL, and leads to the sign-in page.';

const text = (what: string) => ({ type: 'string', description: what });
const DESCRIBED_FORM = {
  'application/x-www-form-urlencoded': {
    schema: {
      type: 'object',
      properties: {
        SAMLRequest: text('The request, base64'),
        SAMLResponse: text('Instead of a request: the response to one, base64'),
        RelayState: text('Returned with the response'),
      },
    },
  },
} as const;

const formSchema = z
  .object({
    SAMLRequest: z.string().min(1).optional(),
    SAMLResponse: z.string().min(1).optional(),
    RelayState: z.string().max(2048).optional(),
  })
  .refine(({ SAMLRequest, SAMLResponse }) => (SAMLRequest === undefined) !== (SAMLResponse === undefined));

const page = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });
const RESPONSES = {
  200: page('The sessions have ended; the page posts the response to the provider (`signOutBinding` is `post`).'),
  ...inBothForms(errorResponses(400, 403, 404, 429, 503)),
};
const WHERE = 'The sessions have ended; redirects to the provider with the response, or to the sign-in page.';

/**
 * GET and POST /api/auth/saml/:provider/slo; GET …/slo/request. A message can come from any site: the provider's
 * signature authenticates it, and cookies are ignored.
 */
export function samlLogoutRoutes(app: ApiServer, deps: Deps): void {
  redirectRoute(app, deps);
  requestRoute(app, deps);
  // A separate scope: no other route accepts a form.
  app.register(async (scope) => postRoute(scope as ApiServer, deps));
}

function redirectRoute(app: ApiServer, { saml }: Deps): void {
  app.get(
    '/api/auth/saml/:provider/slo',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'receiveSamlLogout',
        summary: 'Receive a SAML logout message by redirect',
        description: `${DESCRIPTION} HTTP-Redirect binding.`,
        tags: ['accounts'],
        params: providerParams,
        querystring: z.object({
          SAMLRequest: z.string().optional().describe('The request, deflated, base64'),
          SAMLResponse: z.string().optional().describe('Instead of a request: the response to one, deflated, base64'),
          RelayState: z.string().max(2048).optional().describe('Returned with the response'),
          SigAlg: z.string().optional().describe('Signature algorithm'),
          Signature: z.string().optional().describe('Signature over the other parameters, base64'),
        }),
        response: { 302: z.null().describe(WHERE), ...RESPONSES },
      },
    },
    async (request, reply) => {
      const { provider } = request.params;
      const { SAMLRequest, SAMLResponse } = request.query;
      if ((SAMLRequest === undefined) === (SAMLResponse === undefined)) return refuseMissingMessage(request, reply);
      const message = request.raw.url?.split('?').slice(1).join('?') ?? '';
      const ended = await saml.signOut({ provider, message, origin: originOf(request) });
      const plain: FastifyReply = reply;
      return leadOn(request, plain, { ended, provider, status: 302 });
    },
  );
}

function postRoute(app: ApiServer, { saml }: Deps): void {
  readFormBodies(app, { bodyLimit: MAX_FORM_BYTES });
  app.post(
    '/api/auth/saml/:provider/slo',
    {
      config: { access: { by: 'anyone' }, describedBody: DESCRIBED_FORM },
      schema: {
        operationId: 'receivePostedSamlLogout',
        summary: 'Receive a SAML logout message by POST',
        description: `${DESCRIPTION} HTTP-POST binding: the signature is in the document.`,
        tags: ['accounts'],
        params: providerParams,
        response: { 303: z.null().describe(WHERE), ...errorResponses(413, 415), ...RESPONSES },
      },
    },
    async (request, reply) => {
      const { provider } = request.params;
      const form = formSchema.safeParse(request.body);
      if (!form.success) return refuseMissingMessage(request, reply);
      const ended = await saml.signOut({ provider, message: form.data, origin: originOf(request) });
      const plain: FastifyReply = reply;
      return leadOn(request, plain, { ended, provider, status: 303 });
    },
  );
}

function requestRoute(app: ApiServer, { saml }: Deps): void {
  app.get(
    '/api/auth/saml/:provider/slo/request',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'sendSamlLogout',
        summary: 'Send a SAML logout request by POST',
        description:
          'Target of a sign-out if `signOutBinding` is `post`: the page posts the request to the identity provider. The URL is valid for five minutes.',
        tags: ['accounts'],
        params: providerParams,
        querystring: z.strictObject({ message: z.string().max(16_000).describe('Part of `continueAt`, encrypted') }),
        response: { 200: page('The page.'), ...inBothForms(errorResponses(400, 404, 429)) },
      },
    },
    async (request, reply) => {
      const form = saml.signOutForm(request.params.provider, request.query.message);
      const plain: FastifyReply = reply;
      return form === undefined ? refuseUnknownRequest(request, plain) : sendForm(plain, form);
    },
  );
}

function sendForm(reply: FastifyReply, { action, fields }: PostForm): FastifyReply {
  return sendPostForm(reply, {
    texts: {
      en: {
        title: 'Signed out',
        text: 'Your identity provider ends its session next.',
        button: 'Continue to the identity provider',
      },
      de: {
        title: 'Abgemeldet',
        text: 'Als Nächstes beendet Ihr Identity-Provider seine Sitzung.',
        button: 'Weiter zum Identity-Provider',
      },
    },
    action,
    fields,
  });
}

/** Continues at the provider or at the sign-in page. `ended`: undefined for an unknown provider. */
function leadOn(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    ended,
    provider,
    status,
  }: {
    readonly ended: EndedSessions | RefusedSignIn | undefined;
    readonly provider: string;
    readonly status: 302 | 303;
  },
): FastifyReply {
  if (ended === undefined) return refuseUnknownProvider(request, reply);
  if (ended.kind === 'refused') return refuseSignOut(request, reply, ended, provider);
  return ended.next.kind === 'post' ? sendForm(reply, ended.next.form) : reply.redirect(ended.next.location, status);
}
