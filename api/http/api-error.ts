import type { z } from 'zod';
import { API_ERRORS, type ApiErrorCode, type ApiIssue, type ErrorEnvelope } from '#schemas/api/error-envelope.ts';
import { REQUIRED } from '#schemas/plain-message.ts';

/** Maximum number of issues in one response. */
export const MAX_ISSUES = 100;

/** Refuses a request when a hook or handler throws it. The error plugin sends it as the error envelope. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly issues: readonly ApiIssue[];
  readonly headers: Readonly<Record<string, string>>;
  readonly statusCode: number;

  constructor(code: ApiErrorCode, issues: readonly ApiIssue[], headers: Readonly<Record<string, string>> = {}) {
    const listed = limitIssues(code, issues);
    super(listed.map(({ message }) => message).join('; '));
    this.code = code;
    this.issues = listed;
    this.headers = headers;
    this.statusCode = API_ERRORS[code].status;
  }
}

function limitIssues(code: ApiErrorCode, issues: readonly ApiIssue[]): readonly ApiIssue[] {
  if (issues.length <= MAX_ISSUES) return issues;
  const message = `${issues.length - MAX_ISSUES} more issues are not listed`;
  return [...issues.slice(0, MAX_ISSUES), { field: ROOT, message, code, severity: 'error' }];
}

/** Field of an issue that concerns the request as a whole. */
export const ROOT = '<root>';

/** Creates a refusal with a code of the catalogue, for a handler to throw. */
export function apiError(
  code: ApiErrorCode,
  message: string,
  field = ROOT,
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  return new ApiError(code, [{ field, message, code, severity: 'error' }], headers);
}

/** Converts each zod issue into an issue of the envelope. */
export function invalidRequest(error: z.ZodError): ApiError {
  const issues = error.issues.flatMap((issue): ApiIssue[] => {
    const field = issue.path.length === 0 ? ROOT : issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) =>
        problem('invalid_value', [...issue.path, key].join('.'), 'there is no such parameter'),
      );
    }
    return [problem(issue.message === REQUIRED ? 'required' : 'invalid_value', field, issue.message)];
  });
  return new ApiError('invalid_value', issues);
}

/** Returns the body of the response that reports an error. */
export function envelopeOf(error: ApiError, requestId: string): ErrorEnvelope {
  const { hint } = API_ERRORS[error.code];
  return { issues: [...error.issues], requestId, ...(hint ? { hint } : {}) };
}

function problem(code: ApiErrorCode, field: string, message: string): ApiIssue {
  return { field, message, code, severity: 'error' };
}
