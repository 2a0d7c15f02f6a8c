import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { principalOf } from '../access/caller.ts';
import type { BodyBudget, BodyCaller, BodyClaim } from '../body-budget.ts';
import { hasBody } from '../has-body.ts';
import { addressGroup } from '../limits/address-group.ts';
import { queueFull } from '../read-records.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route counts the bytes of its bodies itself. */
    readonly countsBody?: boolean;
  }
  interface FastifyRequest {
    /** The memory that the body of the request takes; undefined for most. */
    bodyClaim: BodyClaim | undefined;
  }
}

const FORM = /^multipart\//i;

/**
 * Counts bodies that are read whole, such as JSON, against the memory for all bodies while they arrive: a thousand connections
 * with a megabyte each would take all there is. Forms are streamed and take none.
 */
export const bodyMemory = fp<{ readonly budget: BodyBudget }>(
  async (app, { budget }) => {
    app.decorateRequest('bodyClaim', undefined);
    app.addHook('preParsing', (request, _reply, payload, done) => {
      const { countsBody = false } = request.routeOptions.config;
      if (!countsBody && hasBody(request) && !FORM.test(request.headers['content-type'] ?? '')) {
        const refuse = () => {
          claim.release();
          payload.off('data', onData);
          payload.resume();
          if (payload.listenerCount('error') > 0) payload.emit('error', queueFull());
          else request.raw.destroy();
        };
        const onData = (chunk: Buffer) => {
          if (!claim.take(chunk.length)) refuse();
        };
        const claim = budget.open(bodyCallerOf(request), refuse);
        request.bodyClaim = claim;
        payload.on('data', onData);
      }
      done(null, payload);
    });
    // What was parsed is the handler's; its text is garbage.
    app.addHook('preValidation', (request, _reply, done) => {
      request.bodyClaim?.release();
      done();
    });
    app.addHook('onResponse', (request, _reply, done) => {
      request.bodyClaim?.release();
      done();
    });
    app.addHook('onRequestAbort', (request, done) => {
      request.bodyClaim?.release();
      done();
    });
  },
  { name: 'body-memory' },
);

/** The sender of a request's body. Requests without a caller have one share for each address, so that one client cannot use the share of all. */
export function bodyCallerOf({ caller, clientAddress }: FastifyRequest): BodyCaller {
  const address = addressGroup(clientAddress);
  return { principal: caller === undefined ? `anonymous at ${address}` : principalOf(caller), address };
}
