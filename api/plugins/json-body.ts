import fp from 'fastify-plugin';

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
      const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
      if (length === '0' && encoding === undefined) delete request.headers['content-type'];
      done();
    });
    const parse = app.getDefaultJsonParser('error', 'error');
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (request, body, done) => {
        if (body.length === 0) return done(null, undefined);
        return parse(request, body as string, done);
      },
    );
  },
  { name: 'json-body' },
);
