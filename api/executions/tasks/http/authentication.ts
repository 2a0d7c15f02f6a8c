import type { ClientCertificate } from '#api/outbound/port.ts';
import type { HttpAuthentication } from '../../engine/contract/http-authentication.ts';
import { oauth2PolicyOf } from '../../engine/interpreter/oauth2-policy.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import { credentialsOf } from '../redact.ts';
import type { TaskSecrets } from '../secrets.ts';
import { readClientCertificate } from './client-certificate.ts';
import type { TokenPolicy } from './token-request.ts';

/** Authentication of a request, with secrets resolved. */
export type Authentication =
  | { readonly scheme: 'header'; readonly value: string }
  | { readonly scheme: 'digest'; readonly username: string; readonly password: string }
  | { readonly scheme: 'oauth2'; readonly policy: TokenPolicy }
  | { readonly scheme: 'certificate'; readonly certificate: ClientCertificate };

/** Returns a value that contains all secret references of a policy, for `secretsOf`. */
export function referencesOf(authentication: HttpAuthentication | undefined): JsonValue {
  if (authentication === undefined) return null;
  if ('secret' in authentication) return { $secret: authentication.secret };
  return authentication as unknown as JsonValue;
}

/** Resolves the secrets of a policy. Rejects with `TaskFailure` if a secret does not have the required form. */
export async function resolveAuthentication(
  authentication: HttpAuthentication | undefined,
  secrets: TaskSecrets,
  step: string,
): Promise<Authentication | undefined> {
  switch (authentication?.scheme) {
    case undefined:
      return undefined;
    case 'bearer': {
      const token =
        'secret' in authentication ? secrets.named(authentication.secret) : secrets.text(authentication.token);
      return { scheme: 'header', value: `Bearer ${token}` };
    }
    case 'oauth2':
      return {
        scheme: 'oauth2',
        policy: secrets.fill(authentication as unknown as JsonValue) as unknown as TokenPolicy,
      };
    case 'oauth2-secret':
      return { scheme: 'oauth2', policy: await policyOfSecret(authentication, secrets, step) };
    case 'certificate': {
      const { secret } = authentication;
      const certificate = readClientCertificate(secrets.named(secret), Date.now(), (detail) =>
        taskFailure('configuration', step, `the secret ${secret}: ${detail}`),
      );
      return { scheme: 'certificate', certificate };
    }
    case 'basic':
    case 'digest': {
      const { username, password } =
        'secret' in authentication
          ? pairOf(secrets.named(authentication.secret), authentication.secret, step)
          : { username: secrets.text(authentication.username), password: secrets.text(authentication.password) };
      if (authentication.scheme === 'digest') return { scheme: 'digest', username, password };
      return { scheme: 'header', value: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    }
  }
}

/** Returns the certificate of a policy. Throws `TaskFailure` if the connection has no TLS. */
export function certificateIn(
  authentication: Authentication | undefined,
  secure: boolean,
  step: string,
): ClientCertificate | undefined {
  if (authentication?.scheme !== 'certificate') return undefined;
  if (!secure) throw taskFailure('configuration', step, 'a client certificate needs a connection with TLS');
  return authentication.certificate;
}

/** Returns the values of a policy to redact from responses. One secret may contain the whole policy. */
export function secretsIn(authentication: Authentication | undefined): readonly string[] {
  if (authentication?.scheme === 'digest') return [authentication.password];
  if (authentication?.scheme === 'certificate') return [authentication.certificate.key];
  if (authentication?.scheme !== 'oauth2') return [];
  const { clientSecret, clientAssertion, password, subject, actor } = authentication.policy;
  return [clientSecret, clientAssertion, password, subject?.token, actor?.token].filter((text) => text !== undefined);
}

function pairOf(secret: string, name: string, step: string) {
  const pair = credentialsOf(secret);
  if (pair === undefined)
    throw taskFailure('configuration', step, `the secret ${name} is not JSON with username and password`);
  return pair;
}

/** Reads an `oauth2` or `oidc` policy from a secret in JSON. */
async function policyOfSecret(
  { secret, oidc }: { readonly secret: string; readonly oidc: boolean },
  secrets: TaskSecrets,
  step: string,
): Promise<TokenPolicy> {
  const problem = (detail: string) => taskFailure('configuration', step, `the secret ${secret}: ${detail}`);
  let policy: JsonValue;
  try {
    policy = JSON.parse(secrets.named(secret)) as JsonValue;
  } catch {
    throw problem('it is not JSON with an authentication policy');
  }
  return (await oauth2PolicyOf(policy, oidc ? 'oidc' : 'oauth2', {
    value: async (given) => given ?? null,
    async text(given, what) {
      if (typeof given === 'string') return given;
      throw problem(`the ${what} must be a string`);
    },
    problem,
  })) as TokenPolicy;
}
