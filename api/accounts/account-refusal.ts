import { type ApiError, apiError } from '#api/http/api-error.ts';
import { HasherBusy } from './passwords/hasher.ts';
import { exceededQuota, quotaMessage } from './tables/quotas.ts';

/**
 * Returns the refusal for an error of this subject: the password hasher is busy, or a quota is exhausted. Undefined for
 * any other error.
 */
export function accountRefusal(error: unknown): ApiError | undefined {
  if (error instanceof HasherBusy) {
    return apiError('rate_limited', 'too many passwords and keys are being checked right now', undefined, {
      'retry-after': String(error.retryAfterSeconds),
    });
  }
  const exceeded = exceededQuota(error);
  return exceeded === undefined ? undefined : apiError('quota_exceeded', quotaMessage(exceeded));
}
