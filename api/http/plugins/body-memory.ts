import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { principalOf } from '../access/caller.ts';
import type { BodyBudget, BodyCaller, BodyClaim } from '../bodies/body-budget.ts';
import { hasBody } from '../bodies/has-body.ts';
import { queueFull } from '../bodies/read-records.ts';
import { addressGroup } from '../limits/address-group.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route counts the bytes of its bodies itself. */
    readonly countsBody?: boolean;
  }
  interface FastifyRequest {
    /** The memory claim for the body of the request. Undefined for most requests. */
    bodyClaim: BodyClaim | undefined;
  }
}

const FORM = /^multipart\//i;

/**
 * Counts bodies that are buffered completely, such as JSON, against the memory budget for all bodies while they arrive.
 * Otherwise a thousand connections with a megabyte each would exhaust the memory. Forms are streamed and not counted.
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
    // The handler owns the parsed value; its source text is garbage.
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

/**
 * Returns the sender of a request's body. Requests without a caller share one budget per address, so that one client
 * cannot use the budget of all clients.
 */
export function bodyCallerOf({ caller, clientAddress }: FastifyRequest): BodyCaller {
  const address = addressGroup(clientAddress);
  return { principal: caller === undefined ? `anonymous at ${address}` : principalOf(caller), address };
}
