import { OutboundFailure, type OutboundResponse } from '../outbound/port.ts';
import { type Delivery, OutputFailure, type OutputFailureKind } from './port.ts';

/**
 * Statuses that say something of the receiver or of our credentials, not of the message: the next message would fare no better, so all of
 * them wait until the operator corrects it. 409, 421, 423 and 425 are temporary.
 */
const OF_THE_RECEIVER = new Set([401, 402, 403, 404, 405, 407, 408, 409, 410, 421, 423, 425, 426, 429]);
const MAX_RETRY_AFTER_MS = 3_600_000;
const SHOWN = 200;

/** What an HTTP answer means for the message that was sent. Throws `OutputFailure` for all but 2xx. */
export function readHttpAnswer(response: OutboundResponse, nowMs: number): Delivery {
  if (isSuccess(response)) return { answer: answerLine(response) };
  throw httpFailure(response, nowMs);
}

export function isSuccess({ status }: OutboundResponse): boolean {
  return status >= 200 && status < 300;
}

/** The failure that an answer other than 2xx stands for; `kind` where the receiver documents it otherwise. */
export function httpFailure(
  response: OutboundResponse,
  nowMs: number,
  { kind, delivered = 0 }: { readonly kind?: OutputFailureKind | undefined; readonly delivered?: number } = {},
): OutputFailure {
  const { status, headers } = response;
  const refused = status >= 400 && status < 500 && !OF_THE_RECEIVER.has(status);
  return new OutputFailure(kind ?? (refused ? 'permanent' : 'temporary'), answerLine(response), {
    retryAfterMs: retryAfter(headers['retry-after'], nowMs),
    answered: status >= 500,
    delivered,
  });
}

/** Status and the beginning of the body, on one line. */
export function answerLine({ status, body }: OutboundResponse): string {
  const said = oneLine(body.toString('utf8'));
  return `HTTP ${status}${said === '' ? '' : `: ${said}`}`;
}

/** Nothing came back. What the guard forbids is a fault of the definition: everything waits until it is mended. */
export function outboundFailure(error: unknown): OutputFailure {
  if (error instanceof OutputFailure) return error;
  const text = error instanceof OutboundFailure ? reasonOf(error) : 'the request could not be made';
  return new OutputFailure('temporary', text, { cause: error });
}

/** What the guard refuses by address or port, the operator can allow. */
function reasonOf({ reason, message }: OutboundFailure): string {
  const isAllowable = reason === 'forbidden_address' || message.includes('port');
  return isAllowable ? `${message}. Allow it with OUTBOUND_ALLOW on the server` : message;
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
