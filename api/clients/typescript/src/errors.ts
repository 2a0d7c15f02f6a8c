/** One problem of a request. */
export interface ApiIssue {
  /** A parameter, a header, a path into the body, or `<root>`. */
  readonly field: string;
  readonly message: string;
  /** Code such as unauthorized, forbidden, not_found, required, invalid_value, rate_limited, internal. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
}

/** The body of every response that is not 2xx, unchanged. */
export interface ApiErrorEnvelope {
  readonly issues: readonly ApiIssue[];
  readonly requestId: string;
  readonly hint?: string;
  readonly docsUrl?: string;
}

export interface ServiceErrorDetails {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly envelope?: ApiErrorEnvelope | undefined;
  readonly retryAfter?: number | undefined;
  readonly executionId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Base class of all errors that this client throws.
 *
 * ```
 * ServiceError
 * ├── ServiceValidationError   400  the request is invalid, or conflicts with the current state
 * │   └── ServicePreconditionError 412, or 400 for `if-match`  the object changed after it was read
 * ├── ServiceAuthError         401  the key is missing or invalid
 * ├── ServiceForbiddenError    403  the key lacks a scope, or a trigger is disabled
 * ├── ServiceNotFoundError     404  it does not exist, or the key may not see it
 * ├── ServiceRateLimitError    429  too many requests; `retryAfter` holds the seconds to wait
 * ├── ServiceServerError       5xx  the service failed
 * ├── ServiceTimeoutError           the service sent nothing for too long, or a run exceeded the time limit of the wait
 * ├── ServiceConnectionError        no connection could be made, or it broke
 * ├── ServiceResponseError          a 2xx response whose body cannot be parsed
 * └── RunFailedError                a run whose result was awaited failed, was cancelled or was rejected
 * ```
 *
 * Other statuses throw `ServiceError` itself.
 */
export class ServiceError extends Error {
  /** HTTP status. Undefined if no response arrived. */
  readonly status: number | undefined;
  /** Id with which the operator finds the request in the log. */
  readonly requestId: string | undefined;
  /** The body of the response, if it was an error envelope. */
  readonly envelope: ApiErrorEnvelope | undefined;
  /** Seconds to wait before a retry, if the service requested it. */
  readonly retryAfter: number | undefined;
  /** Id of the run, if a wait for it failed. The run continues. */
  readonly executionId: string | undefined;
  /** Idempotency key of the request. Repeating the call with it does not start a second run. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    // The name of the class, even if a bundler shortened it in the code.
    this.name = (this.constructor as typeof ServiceError).errorName;
    this.status = details.status;
    this.requestId = details.requestId;
    this.envelope = details.envelope;
    this.retryAfter = details.retryAfter;
    this.executionId = details.executionId;
    this.idempotencyKey = details.idempotencyKey;
  }

  static readonly errorName: string = 'ServiceError';

  /** Problems that the service reported. Empty if there was no envelope. */
  get issues(): readonly ApiIssue[] {
    return this.envelope?.issues ?? [];
  }
}

/** Adds the id of a run to the error of a wait for it. Returns any other value unchanged. */
export function aboutRun(error: unknown, executionId: string): unknown {
  if (!(error instanceof ServiceError) || error.executionId !== undefined) return error;
  const message = `${error.message}; the run ${executionId} goes on`;
  return Object.assign(error, { executionId, message });
}

/** Adds the idempotency key to the error of a request that can be repeated with it. */
export function aboutKey(error: ServiceError, idempotencyKey: string): ServiceError {
  // With any other status, the request was not executed.
  const unknownOutcome = error.status === undefined || error.status >= 500 || error.status < 400;
  const message = unknownOutcome
    ? `${error.message}; whether it was carried out is unknown, repeat it with the idempotency key ${idempotencyKey}`
    : error.message;
  return Object.assign(error, { idempotencyKey, message });
}

/** 400: the request is invalid, or conflicts with the current state. `issues` lists the problems. */
export class ServiceValidationError extends ServiceError {
  static override readonly errorName: string = 'ServiceValidationError';
}

/** 401: the key is missing, unknown, revoked or expired. */
export class ServiceAuthError extends ServiceError {
  static override readonly errorName = 'ServiceAuthError';
}

/** 403: the key lacks a scope, or a trigger is disabled. */
export class ServiceForbiddenError extends ServiceError {
  static override readonly errorName = 'ServiceForbiddenError';
}

/** 404: it does not exist, or the key may not see it. */
export class ServiceNotFoundError extends ServiceError {
  static override readonly errorName = 'ServiceNotFoundError';
}

/** 412: the object changed after it was read (`ifMatch`). Nothing was changed; read it again. */
export class ServicePreconditionError extends ServiceValidationError {
  static override readonly errorName = 'ServicePreconditionError';
}

/** 429: too many requests. `retryAfter` holds the seconds to wait. */
export class ServiceRateLimitError extends ServiceError {
  static override readonly errorName = 'ServiceRateLimitError';
}

/** 5xx: the service, or a service behind it, failed. */
export class ServiceServerError extends ServiceError {
  static override readonly errorName = 'ServiceServerError';
}

/** The service sent nothing for `timeoutSeconds`, or a run exceeded the time limit of the wait. */
export class ServiceTimeoutError extends ServiceError {
  static override readonly errorName = 'ServiceTimeoutError';
}

/** A run whose result was awaited failed, was cancelled or was rejected. `executionId` identifies it. */
export class RunFailedError extends ServiceError {
  static override readonly errorName = 'RunFailedError';
  /** Final status of the run. */
  readonly runStatus: 'failed' | 'cancelled' | 'rejected';

  constructor(executionId: string, runStatus: RunFailedError['runStatus'], reason: string | null) {
    super(`the run ${executionId} ${ENDED[runStatus]}${reason === null ? '' : `: ${reason}`}`, { executionId });
    this.runStatus = runStatus;
  }
}

const ENDED = { failed: 'failed', cancelled: 'was cancelled', rejected: 'was rejected' } as const;

/** No connection could be made, or it broke. */
export class ServiceConnectionError extends ServiceError {
  static override readonly errorName = 'ServiceConnectionError';
}

/** A 2xx response whose body cannot be parsed. */
export class ServiceResponseError extends ServiceError {
  static override readonly errorName = 'ServiceResponseError';
}
