import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { refusalOfDeepJson } from '../json-depth.ts';

/** Largest JSON body of the platform's routes; those that take events or files have limits of their own. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Bodies are JSON and nothing else: a form of another site could send text/plain without asking. A POST without a body is fine,
 * whatever its content type. Keys that would reach a prototype are refused.
 */
export const jsonBody = fp(
  async (app) => {
    app.removeAllContentTypeParsers();
    // What a client says of a body that it does not send is not worth a refusal.
    app.addHook('onRequest', (request, _reply, done) => {
      const { 'content-type': type, 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
      if (type !== undefined && length === '0' && encoding === undefined) delete request.headers['content-type'];
      done();
    });
    readJsonBodies(app, 'application/json', { bodyLimit: MAX_BODY_BYTES });
  },
  { name: 'json-body' },
);

/** Has bodies of these content types read as JSON, in the scope it is called with. */
export function readJsonBodies(
  app: Pick<FastifyInstance, 'getDefaultJsonParser' | 'addContentTypeParser'>,
  contentTypes: string | string[],
  limits: { readonly bodyLimit?: number } = {},
): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(contentTypes, { parseAs: 'string', ...limits }, (request, body, done) => {
    const text = body as string;
    if (text.length === 0) return done(null, undefined);
    const refusal = refusalOfDeepJson(text);
    return refusal === undefined ? parse(request, text, done) : done(refusal);
  });
}
