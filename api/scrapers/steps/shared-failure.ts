import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { UpstreamFailure } from '../upstream-failure.ts';

const schema = z.object({
  id: z.string(),
  kind: z.enum(['failed', 'quota']),
  message: z.string(),
  retryAfterMs: z.number().optional(),
});

/**
 * Serialises a failure for processes that wait for the same call. Each failure has a unique text. Undefined for errors
 * that are not upstream failures.
 */
export function writeFailure(error: unknown): string | undefined {
  if (!(error instanceof UpstreamFailure)) return undefined;
  const { kind, message, retryAfterMs } = error;
  return JSON.stringify({ id: randomUUID(), kind, message, retryAfterMs });
}

export function readFailure(text: string): UpstreamFailure {
  const { kind, message, retryAfterMs } = schema.parse(JSON.parse(text));
  return new UpstreamFailure(kind, message, { retryAfterMs });
}
