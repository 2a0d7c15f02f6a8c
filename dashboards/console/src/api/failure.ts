import { SCOPES, type Scope } from '#schemas/api/scopes.ts';
import { PARTS_TEXT } from '../parts/text.ts';
import { FAILURE_TEXT } from './text.ts';

/** One problem that the API reports. */
export interface Issue {
  /** A parameter, a header, a path into the body, or `<root>`. */
  readonly field: string;
  /** In the language of the console. */
  readonly message: string;
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** Line of a text in the request, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** A failed call. `status` 0 means that the server did not respond. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly status: number;
  readonly issues: readonly Issue[];
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined;
  /** Value of `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly issues: readonly Issue[];
    readonly requestId?: string | undefined;
    readonly retryAfterMs?: number | undefined;
  }) {
    super(answer.issues.map(({ message }) => message).join('; ') || FAILURE_TEXT.noMessage(answer.status));
    this.status = answer.status;
    this.issues = answer.issues;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** Parses the error envelope of a response. Without an envelope, for example from a proxy, only the status is known. */
export async function failureOf(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined);
  const { issues, requestId } = isEnvelope(body) ? body : { issues: [], requestId: undefined };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const missing = missingRole(response);
  return new Failure({
    status: response.status,
    issues: issues.map((issue) => ({ ...issue, message: missing ?? FAILURE_TEXT.issue(issue.code, issue.message) })),
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  });
}

/**
 * Returns a sentence with the role that the user needs, and its purpose. Undefined if the request was rejected for
 * another reason.
 */
function missingRole({ status, headers }: Response): string | undefined {
  if (status !== 403) return undefined;
  const [, scope = ''] = /\bscope="([^ "]+)/.exec(headers.get('www-authenticate') ?? '') ?? [];
  return isScope(scope)
    ? FAILURE_TEXT.missingRole(PARTS_TEXT.roles[SCOPES[scope].role], FAILURE_TEXT.purposes[scope])
    : undefined;
}

function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}

/** Returns the failure for an unavailable server or network. */
export function unreachable(): Failure {
  return new Failure({ status: 0, issues: [] });
}

/**
 * Returns true if a change was rejected because another user changed the resource first (`If-Match`). Routes of /api/v1
 * respond with 400.
 */
export function isOvertaken(error: unknown): error is Failure {
  return (
    error instanceof Failure &&
    (error.status === 412 || (error.status === 400 && error.issues.some(({ field }) => field === 'if-match')))
  );
}

/** Returns a sentence with what the user can do about a failure. */
export function adviceFor({ status, retryAfterMs }: Failure): string {
  const { advice } = FAILURE_TEXT;
  if (status === 0) return advice.unreachable;
  if (status === 429) return advice.tooManyRequests(Math.ceil((retryAfterMs ?? 60_000) / 1_000));
  return advice.byStatus[status] ?? (status >= 500 ? advice.server : advice.rejected);
}

/** Returns the title of the notice about an error. */
export function titleFor(error: unknown): string {
  const { titles } = FAILURE_TEXT;
  if (!(error instanceof Failure)) return titles.console;
  if (error.status === 0) return titles.unreachable;
  return titles.byStatus[error.status] ?? (error.status >= 500 ? titles.server : titles.rejected);
}

function isEnvelope(body: unknown): body is { readonly issues: readonly Issue[]; readonly requestId?: string } {
  return typeof body === 'object' && body !== null && 'issues' in body && Array.isArray(body.issues);
}
