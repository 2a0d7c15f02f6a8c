import { OutboundFailure, type OutboundResponse } from '#api/outbound/port.ts';
import { type Delivery, OutputFailure, type OutputFailureKind } from './port.ts';

/**
 * Statuses caused by the receiver or our credentials, not by the message. Every other message would fail too, so all
 * wait until the operator corrects the cause. 409, 421, 423 and 425 are temporary.
 */
const OF_THE_RECEIVER = new Set([401, 402, 403, 404, 405, 407, 408, 409, 410, 421, 423, 425, 426, 429]);
const MAX_RETRY_AFTER_MS = 3_600_000;
const SHOWN = 200;

/** Interprets an HTTP response to a message. Throws `OutputFailure` for all statuses except 2xx. */
export function readHttpAnswer(response: OutboundResponse, nowMs: number): Delivery {
  if (isSuccess(response)) return { answer: answerLine(response) };
  throw httpFailure(response, nowMs);
}

export function isSuccess({ status }: OutboundResponse): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns the failure of a response that is not 2xx. `kind` overrides the default if the receiver documents the status
 * differently.
 */
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

/** Returns the status and the beginning of the body on one line. */
export function answerLine({ status, body }: OutboundResponse): string {
  const said = oneLine(body.toString('utf8'));
  return `HTTP ${status}${said === '' ? '' : `: ${said}`}`;
}

/**
 * Returns the failure of a request without a response. A destination that the guard forbids is an error of the
 * definition: all messages wait until it is corrected.
 */
export function outboundFailure(error: unknown): OutputFailure {
  if (error instanceof OutputFailure) return error;
  const text = error instanceof OutboundFailure ? reasonOf(error) : 'the request could not be made';
  return new OutputFailure('temporary', text, { cause: error });
}

/** The operator can allow an address or port that the guard refuses. */
function reasonOf({ reason, message }: OutboundFailure): string {
  const isAllowable = reason === 'forbidden_address' || (reason === 'forbidden_url' && message.startsWith('port '));
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
