import type { ZodError } from 'zod';
import { z } from 'zod';
import { OutboundFailure, type OutboundFailureReason, type OutboundResponse } from '#api/outbound/port.ts';
import type { Answer } from '../answer.ts';
import { judgeResponse } from '../judge-response.ts';
import type { Scraper, Upstream } from '../scraper.ts';
import { UpstreamFailure } from '../upstream-failure.ts';

/** Temporary failures. A request that the guard refused, or a response that is too large, fails again. */
const PASSING: ReadonlySet<OutboundFailureReason> = new Set([
  'unresolvable',
  'unreachable',
  'untrusted_server',
  'timeout',
  'broken_response',
]);

/**
 * Step 7. Makes one attempt: sends the request, checks the status, parses the body and validates the result. Throws
 * `UpstreamFailure`.
 */
export async function run(
  scraper: Scraper,
  query: Record<string, unknown>,
  upstream: Upstream,
  nowMs: number,
): Promise<Answer> {
  const response = await ask(scraper, query, upstream);
  if (judgeResponse(response, nowMs) === 'not_found') return { kind: 'not_found' };
  return { kind: 'found', body: JSON.stringify(read(scraper, query, response)) };
}

async function ask(scraper: Scraper, query: Record<string, unknown>, upstream: Upstream): Promise<OutboundResponse> {
  try {
    return await scraper.fetch(query, upstream);
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    throw new UpstreamFailure('failed', `cannot send a request to the upstream service: ${error.message}`, {
      retriable: PASSING.has(error.reason),
      cause: error,
    });
  }
}

function read(scraper: Scraper, query: Record<string, unknown>, response: OutboundResponse): object {
  try {
    return scraper.response.parse(scraper.parse(JSON.parse(response.body.toString()), response, query));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isZodError(error)) throw error;
    throw new UpstreamFailure('failed', 'the upstream response does not match its documentation', {
      cause: isZodError(error) ? z.prettifyError(error) : undefined,
    });
  }
}

function isZodError(error: unknown): error is ZodError {
  return error instanceof z.ZodError;
}
