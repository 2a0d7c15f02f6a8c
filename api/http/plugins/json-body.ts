import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { refusalOfJson } from '../responses/json-text.ts';

/** Maximum JSON body of the platform's routes. Routes that accept events or files have other limits. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Accepts only JSON bodies: a form of another site can send text/plain without a CORS preflight. A POST without a body
 * is accepted with any content type. Keys that would change a prototype are rejected.
 */
export const jsonBody = fp(
  async (app) => {
    app.removeAllContentTypeParsers();
    // The content type of an empty body is ignored.
    app.addHook('onRequest', (request, _reply, done) => {
      const { 'content-type': type, 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
      if (type !== undefined && length === '0' && encoding === undefined) delete request.headers['content-type'];
      done();
    });
    readJsonBodies(app, 'application/json', { bodyLimit: MAX_BODY_BYTES });
  },
  { name: 'json-body' },
);

/** Parses bodies of these content types as JSON, in the scope of `app`. */
export function readJsonBodies(
  app: Pick<FastifyInstance, 'getDefaultJsonParser' | 'addContentTypeParser'>,
  contentTypes: string | string[],
  limits: { readonly bodyLimit?: number } = {},
): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(contentTypes, { parseAs: 'string', ...limits }, (request, body, done) => {
    const text = body as string;
    if (text.length === 0) return done(null, undefined);
    const refusal = refusalOfJson(text);
    return refusal === undefined ? parse(request, text, done) : done(refusal);
  });
}
