import type { CustomFetch } from 'openid-client';
import { connectionProblem } from '#schemas/connection-problem.ts';
import { ProviderUnavailable } from './provider.ts';

export interface FetchBounds {
  /** Time-out of the whole exchange, including the body, ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Maximum bytes of a body after decompression. Default 1 MiB. */
  readonly maxBytes?: number;
}

/**
 * Creates a fetch function for requests to a provider. Any address is allowed, because the operator configures it.
 * Responses are limited in time and size, and redirects are not followed. Every failure of the provider that is not a
 * response becomes `ProviderUnavailable`.
 */
export function createBoundedFetch({ timeoutMs = 10_000, maxBytes = 2 ** 20 }: FetchBounds = {}): CustomFetch {
  return async (url, { signal, body, ...options }) => {
    const bound = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(url, {
        ...options,
        // openid-client sends forms only
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, bound]) : bound,
      });
      if (response.status >= 500 || response.status === 429) {
        await response.body?.cancel();
        throw new ProviderUnavailable(`the provider answered with status ${response.status}`);
      }
      const bytes = await readBounded(response, maxBytes);
      return new Response(bytes.length === 0 ? null : bytes, { status: response.status, headers: response.headers });
    } catch (error) {
      if (error instanceof ProviderUnavailable) throw error;
      throw new ProviderUnavailable(
        bound.aborted
          ? `the provider did not answer within ${timeoutMs} ms`
          : `the provider cannot be reached: ${connectionProblem(error, String(url)) ?? 'check its address and the network'}`,
        { cause: error },
      );
    }
  };
}

async function readBounded(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    // Leaving the loop cancels the stream, which closes the connection.
    if (size > maxBytes) throw new ProviderUnavailable(`the provider's answer is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
