import { z } from 'zod';
import type { ApiServer } from '../api-server.ts';
import { errorResponses } from '../error-responses.ts';

const query = z.object({
  nonce: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .describe('random value that the client chooses for each request'),
});
const answer = z.object({
  proof: z.string().describe('HMAC-SHA-256 of the server’s URL and the nonce with the operator key, hexadecimal'),
});

/**
 * GET /api/server-proof: lets the command line verify that it talks to the server of its data directory before it sends
 * the operator key. The route is public: the response is useless without the key.
 */
export function serverProofRoute(app: ApiServer, prove: (nonce: string) => string): void {
  app.get(
    '/api/server-proof',
    {
      logLevel: 'warn',
      config: { access: { by: 'anyone' }, limiting: 'none', logged: 'refusals' },
      schema: {
        operationId: 'getServerProof',
        summary: 'Proof that the server knows the operator key',
        description: 'The command line verifies the proof before it sends the operator key to a server on its machine.',
        tags: ['operation'],
        querystring: query,
        response: { 200: answer.describe('The proof.'), ...errorResponses(400) },
      },
    },
    async ({ query: { nonce } }) => ({ proof: prove(nonce) }),
  );
}
