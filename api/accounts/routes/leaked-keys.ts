import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { ReportLeaks } from '../keys/leaks/leak-reports.ts';
import { isScanSignature } from '../keys/leaks/scan-signature.ts';
import { type ScannerKeys, ScannerKeysUnavailable } from '../keys/leaks/scanner-keys.ts';

export interface LeakedKeyRouteDeps {
  /** Undefined: the setting is off, and the route responds with 404. */
  readonly leaks?: { readonly report: ReportLeaks; readonly scannerKeys: ScannerKeys } | undefined;
}

const MAX_BODY_BYTES = 2 ** 20;
const MAX_TOKENS = 100;
const KEY_HEADER = 'github-public-key-identifier';
const SIGNATURE_HEADER = 'github-public-key-signature';

const foundSchema = z
  .array(
    z.object({
      token: z.string().max(1_000),
      type: z.string().max(200),
      url: z.string().max(2_000).nullish(),
    }),
  )
  .min(1)
  .max(MAX_TOKENS);

/** Read as bytes, because the signature covers them. */
const DESCRIBED_BODY = {
  'application/json': {
    schema: {
      description: 'Findings of the scanner: 1 to 100 objects with `token`, `type` and `url`.',
      example: [{ token: `tl_4Yb0dWn1Kq7x.${'0'.repeat(49)}`, type: 'trapline_api_key', url: 'https://example.org/a' }],
    },
  },
} as const;

/**
 * POST /api/leaked-keys: keys that a secret scanner found in public, by the protocol of GitHub's secret scanning
 * partner program.
 */
export async function leakedKeyRoute(app: ApiServer, { leaks }: LeakedKeyRouteDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    (scope as ApiServer).post(
      '/api/leaked-keys',
      {
        config: { access: { by: 'anyone' }, describedBody: DESCRIBED_BODY },
        schema: {
          operationId: 'reportLeakedKeys',
          summary: 'Report leaked keys',
          description:
            "For secret scanners, by the protocol of GitHub's secret scanning partner program: the body is signed with ECDSA and SHA-256 by a key that the scanner publishes (TRAPLINE_LEAK_SCANNER_KEYS_URL). A leaked key is revoked or marked (TRAPLINE_LEAKED_KEYS; 404 if that is `off`), its owner is notified by mail, and an audit entry is written.",
          tags: ['keys'],
          headers: z.object({
            [KEY_HEADER]: z.string().max(200).optional().describe('Id of the public key'),
            [SIGNATURE_HEADER]: z.string().max(200).optional().describe('Signature of the body, base64'),
          }),
          response: {
            200: z
              .array(
                z.object({
                  token_hash: z.string().describe('SHA-256 of the token, base64'),
                  token_type: z.string().describe('`type` of the request').meta({ example: 'trapline_api_key' }),
                  label: z
                    .enum(['true_positive', 'false_positive'])
                    .describe('Whether it is a key of this installation')
                    .meta({ example: 'true_positive' }),
                }),
              )
              .describe('In the order of the request.'),
            ...errorResponses(400, 401, 404, 413, 429, 503),
          },
        },
      },
      async (request) => {
        if (leaks === undefined) throw apiError('not_found', 'reports of secret scanners are not accepted here');
        const body: unknown = request.body;
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const { [KEY_HEADER]: id, [SIGNATURE_HEADER]: signature } = request.headers;
        if (id === undefined || signature === undefined)
          throw apiError('unauthorized', 'a signature is needed', SIGNATURE_HEADER);
        const publicKey = await leaks.scannerKeys.find(id).catch(unavailable);
        if (publicKey === undefined || !isScanSignature(publicKey, bytes, signature))
          throw apiError('unauthorized', 'the signature is wrong', SIGNATURE_HEADER);
        const answers = await leaks.report(foundIn(bytes), originOf(request));
        return answers.map(({ tokenHash, type, genuine }) => ({
          token_hash: tokenHash,
          token_type: type,
          label: genuine ? ('true_positive' as const) : ('false_positive' as const),
        }));
      },
    );
  });
}

function foundIn(bytes: Buffer) {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw apiError('invalid_value', 'must be JSON');
  }
  const found = foundSchema.safeParse(json);
  if (!found.success) throw apiError('invalid_value', `must be 1 to ${MAX_TOKENS} objects with token, type and url`);
  return found.data.map(({ token, type, url }) => ({ token, type, url: url ?? undefined }));
}

function unavailable(error: unknown): never {
  if (!(error instanceof ScannerKeysUnavailable)) throw error;
  throw apiError('unavailable', error.message, undefined, { 'retry-after': '60' });
}
