/** One thing that is wrong, as the API tells it. */
export interface Issue {
  /** A parameter, a header, a path into the body, or `<root>`. */
  readonly field: string;
  readonly message: string;
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** In a text that was sent, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** A call that did not succeed. `status` 0: no answer came. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly status: number;
  readonly issues: readonly Issue[];
  /** For whoever looks into the server's log. */
  readonly requestId: string | undefined;
  /** After how long asking again makes sense, where the server says so. */
  readonly retryAfterMs: number | undefined;

  constructor(answer: {
    readonly status: number;
    readonly issues: readonly Issue[];
    readonly requestId?: string | undefined;
    readonly retryAfterMs?: number | undefined;
  }) {
    super(answer.issues.map(({ message }) => message).join('; ') || `status ${answer.status}`);
    this.status = answer.status;
    this.issues = answer.issues;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
  }
}

/** Reads the envelope of errors; an answer that has none (a proxy's, say) is told by its status. */
export async function failureOf(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => undefined);
  const { issues, requestId } = isEnvelope(body) ? body : { issues: [], requestId: undefined };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new Failure({
    status: response.status,
    issues,
    requestId: requestId ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  });
}

/** No answer came: the server is away, or the way to it. */
export function unreachable(): Failure {
  return new Failure({ status: 0, issues: [] });
}

/** Whether a change was refused because somebody else made one since what it was made upon was read. Routes of /api/v1 have no status for it. */
export function isOvertaken(error: unknown): error is Failure {
  return (
    error instanceof Failure &&
    (error.status === 412 || (error.status === 400 && error.issues.some(({ field }) => field === 'if-match')))
  );
}

/** What a person can do about it, in a sentence. */
export function adviceFor({ status, retryAfterMs }: Failure): string {
  if (status === 0)
    return 'The server does not answer. Check that Trapline runs and that the network reaches it, then try again.';
  if (status === 401) return 'Your session has ended. Sign in again.';
  if (status === 403) return 'Your role does not allow this. Ask an administrator for the role you need.';
  if (status === 404) return 'It does not exist, or not any more. Go back to the list and look again.';
  if (status === 409) return 'It has been changed or taken meanwhile. Load it again, then decide.';
  if (status === 412) return 'Somebody else changed it a moment ago. Look at what is new, then decide again.';
  if (status === 413) return 'It is larger than the server accepts. Send it in parts.';
  if (status === 429)
    return `Too many requests from your address. Try again in ${Math.ceil((retryAfterMs ?? 60_000) / 1_000)} s.`;
  if (status === 503) return 'A store of the server is away. It comes back without a restart; try again in a moment.';
  if (status >= 500) return 'The server failed. Try again; if it stays, give the request id to whoever runs it.';
  return 'Correct what is named above and try again.';
}

function isEnvelope(body: unknown): body is { readonly issues: readonly Issue[]; readonly requestId?: string } {
  return typeof body === 'object' && body !== null && 'issues' in body && Array.isArray(body.issues);
}
