import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { ProviderRefusal, ProviderUnavailable } from './provider.ts';

/**
 * Converts an error of openid-client into `ProviderUnavailable` or `ProviderRefusal`. Any other error is a fault of
 * this service and stays as it is.
 */
export function providerFailure(error: unknown): unknown {
  const failure = causes(error).find(
    (cause) => cause instanceof ProviderUnavailable || cause instanceof ProviderRefusal,
  );
  if (failure !== undefined) return failure;
  if (error instanceof AuthorizationResponseError) {
    // RFC 6749 4.1.2.1: these two are failures of the provider, the others are refusals.
    return ['server_error', 'temporarily_unavailable'].includes(error.error)
      ? new ProviderUnavailable('the provider reported trouble of its own', { cause: error })
      : new ProviderRefusal('denied', 'the provider or the person refused', { cause: error });
  }
  if (
    error instanceof ClientError ||
    error instanceof ResponseBodyError ||
    error instanceof WWWAuthenticateChallengeError
  )
    return new ProviderRefusal('invalid-response', 'the response of the provider is invalid', {
      cause: error,
    });
  return error;
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at);
  return chain;
}
