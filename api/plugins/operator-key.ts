import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { apiError } from '../http/api-error.ts';

export interface OperatorKeyOptions {
  readonly operatorKey: string;
}

/** Routes of the scope this is registered in answer to the operator key only. Checked before the body is read. */
export const operatorKey = fp<OperatorKeyOptions>(
  async (app, { operatorKey: expected }) => {
    const expectedDigest = digest(expected);
    app.addHook('onRequest', async (request) => {
      const key = presentedKey(request);
      // Digests have one length, so the comparison tells nothing about the key, not even how long it is.
      if (key === undefined || !timingSafeEqual(digest(key), expectedDigest)) {
        throw apiError('unauthorized', key === undefined ? 'a key is needed' : 'this key is not valid', undefined, {
          'www-authenticate': 'Bearer',
        });
      }
    });
  },
  { name: 'operator-key' },
);

function presentedKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return key;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
