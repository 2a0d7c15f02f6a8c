/** One thing that is wrong with a request. */
export interface ApiIssue {
  /** A parameter, a header, a path into the body, or `<root>`. */
  readonly field: string;
  readonly message: string;
  /** Such as unauthorized, forbidden, not_found, required, invalid_value, rate_limited, internal. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
}

/** The body of every answer that is not 2xx, as it came. */
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
 * Whatever this client throws of its own.
 *
 * ```
 * ServiceError
 * ├── ServiceValidationError   400  the request is not as it should be, or not possible as things stand
 * │   └── ServicePreconditionError 412, or 400 for `if-match`  it changed since it was read
 * ├── ServiceAuthError         401  no key, or not one that is valid
 * ├── ServiceForbiddenError    403  the key lacks a scope, or a trigger is disabled
 * ├── ServiceNotFoundError     404  it does not exist, or the key may not see it
 * ├── ServiceRateLimitError    429  too many requests; `retryAfter` says when to come back
 * ├── ServiceServerError       5xx  the service failed
 * ├── ServiceTimeoutError           the service was silent for too long, or a run took longer than one waits
 * ├── ServiceConnectionError        no connection, or it broke
 * ├── ServiceResponseError          a 2xx whose body can't be read
 * └── RunFailedError                a run whose result was waited for failed, was cancelled or rejected
 * ```
 *
 * Statuses without a class of their own throw `ServiceError` itself.
 */
export class ServiceError extends Error {
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** By which the operator finds the request in the log. */
  readonly requestId: string | undefined;
  /** The body of the answer, if it was an error envelope. */
  readonly envelope: ApiErrorEnvelope | undefined;
  /** Seconds the service asks to wait. */
  readonly retryAfter: number | undefined;
  /** Of the run that goes on, when a wait for it failed. */
  readonly executionId: string | undefined;
  /** Of the request: repeating the call with it does not start a second run. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, details: ServiceErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    // The name of the class, also when its code was made shorter by a bundler.
    this.name = (this.constructor as typeof ServiceError).errorName;
    this.status = details.status;
    this.requestId = details.requestId;
    this.envelope = details.envelope;
    this.retryAfter = details.retryAfter;
    this.executionId = details.executionId;
    this.idempotencyKey = details.idempotencyKey;
  }

  static readonly errorName: string = 'ServiceError';

  /** What the service found wrong; empty when no envelope came. */
  get issues(): readonly ApiIssue[] {
    return this.envelope?.issues ?? [];
  }
}

/** The error of a wait for a run, with the id of the run. Anything else is returned as it is. */
export function aboutRun(error: unknown, executionId: string): unknown {
  if (!(error instanceof ServiceError) || error.executionId !== undefined) return error;
  const message = `${error.message}; the run ${executionId} goes on`;
  return Object.assign(error, { executionId, message });
}

/** The error of a request with the key under which it can be repeated. */
export function aboutKey(error: ServiceError, idempotencyKey: string): ServiceError {
  // Every other status says that nothing was done.
  const unknownOutcome = error.status === undefined || error.status >= 500 || error.status < 400;
  const message = unknownOutcome
    ? `${error.message}; whether it was carried out is unknown, repeat it with the idempotency key ${idempotencyKey}`
    : error.message;
  return Object.assign(error, { idempotencyKey, message });
}

/** 400: the request is not as it should be, or not possible as things stand; `issues` says where and why. */
export class ServiceValidationError extends ServiceError {
  static override readonly errorName: string = 'ServiceValidationError';
}

/** 401: no key came, or it is unknown, revoked or expired. */
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

/** 412: the object changed since it was read (`ifMatch`): nothing was changed, read it again. */
export class ServicePreconditionError extends ServiceValidationError {
  static override readonly errorName = 'ServicePreconditionError';
}

/** 429: too many requests; `retryAfter` holds the seconds to wait. */
export class ServiceRateLimitError extends ServiceError {
  static override readonly errorName = 'ServiceRateLimitError';
}

/** 5xx: the service, or one behind it, failed. */
export class ServiceServerError extends ServiceError {
  static override readonly errorName = 'ServiceServerError';
}

/** The service was silent for longer than `timeoutSeconds`, or a run took longer than one was willing to wait. */
export class ServiceTimeoutError extends ServiceError {
  static override readonly errorName = 'ServiceTimeoutError';
}

/** A run whose result was waited for did not complete: it failed, was cancelled or was rejected. `executionId` names it. */
export class RunFailedError extends ServiceError {
  static override readonly errorName = 'RunFailedError';
  /** How it ended. */
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

/** A 2xx whose body can't be read. */
export class ServiceResponseError extends ServiceError {
  static override readonly errorName = 'ServiceResponseError';
}
