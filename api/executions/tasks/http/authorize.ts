import type { ClientCertificate } from '#api/outbound/port.ts';
import type { HttpAuthentication } from '../../engine/contract/http-authentication.ts';
import type { SecretDestination } from '../../secrets/host-binding.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';
import type { AccessTokens } from './access-tokens.ts';
import { certificateIn, referencesOf, resolveAuthentication, secretsIn } from './authentication.ts';

/**
 * Returns the `authorization` value or the client certificate for a protocol other than HTTP/1.1, and the values to
 * redact from responses.
 */
export type Authorize = (
  authentication: HttpAuthentication | undefined,
  context: TaskContext,
  /** Destination of the request. */
  destination: SecretDestination,
) => Promise<{
  readonly value: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
  readonly secrets: readonly string[];
}>;

export function createAuthorize({
  tokens,
  resolveSecrets,
}: {
  readonly tokens: AccessTokens;
  readonly resolveSecrets: ResolveSecrets;
}): Authorize {
  return async (authentication, context, destination) => {
    const secrets = await secretsOf([referencesOf(authentication)], context, resolveSecrets);
    secrets.requireHost(destination);
    const resolved = await resolveAuthentication(authentication, secrets, context.step);
    const used = [...secrets.used(), ...secretsIn(resolved)];
    switch (resolved?.scheme) {
      case undefined:
        return { value: undefined, secrets: used };
      case 'header':
        return { value: resolved.value, secrets: used };
      case 'certificate': {
        const certificate = certificateIn(resolved, destination.secure, context.step);
        return { value: undefined, certificate, secrets: used };
      }
      case 'digest':
        throw taskFailure('configuration', context.step, 'digest authentication is for HTTP only');
      case 'oauth2': {
        const { token } = await tokens.get(resolved.policy, { ...context, requireAddress: secrets.requireAddress });
        return { value: `Bearer ${token}`, secrets: [...used, token] };
      }
    }
  };
}
