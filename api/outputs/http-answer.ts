import { OutboundFailure, type OutboundResponse } from '../outbound/port.ts';
import { type Delivery, OutputFailure } from './port.ts';

/**
 * Statuses that say something of the receiver or of our credentials, not of the message: the next message would fare no better, so all of
 * them wait until the operator corrects it. 409, 421, 423 and 425 are temporary.
 */
const OF_THE_RECEIVER = new Set([401, 402, 403, 404, 405, 407, 408, 409, 410, 421, 423, 425, 426, 429]);
const MAX_RETRY_AFTER_MS = 3_600_000;
const SHOWN = 200;

/** What an HTTP answer means for the message that was sent. Throws `OutputFailure` for all but 2xx. */
export function readHttpAnswer({ status, headers, body }: OutboundResponse, nowMs: number): Delivery {
  const said = oneLine(body.toString('utf8'));
  const answer = `HTTP ${status}${said === '' ? '' : `: ${said}`}`;
  if (status >= 200 && status < 300) return { answer };
  const refused = status >= 400 && status < 500 && !OF_THE_RECEIVER.has(status);
  throw new OutputFailure(refused ? 'permanent' : 'temporary', answer, {
    retryAfterMs: retryAfter(headers['retry-after'], nowMs),
    answered: status >= 500,
  });
}

/** Nothing came back. What the guard forbids is a fault of the definition: everything waits until it is mended. */
export function outboundFailure(error: unknown): OutputFailure {
  if (error instanceof OutputFailure) return error;
  const text = error instanceof OutboundFailure ? error.message : 'the request could not be made';
  return new OutputFailure('temporary', text, { cause: error });
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function retryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN);
}
