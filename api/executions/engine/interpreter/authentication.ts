import type { JsonValue } from '../../json-value.ts';
import type { HttpAuthentication, SecretReference } from '../contract/http-authentication.ts';
import { fault } from './faults.ts';
import type { Step } from './frames.ts';
import { get, getText } from './json.ts';
import { type OAuth2Reader, oauth2PolicyOf } from './oauth2-policy.ts';
import { evaluateValue } from './values.ts';

/**
 * Returns the authentication policy of a call or document: an inline policy, or one of `use.authentications` by name.
 */
export async function authenticationOf(
  step: Step,
  given: JsonValue | undefined,
): Promise<HttpAuthentication | undefined> {
  if (given === undefined) return undefined;
  const name = getText(given, 'use') ?? (typeof given === 'string' ? given : undefined);
  const policies = step.scope.foreign === true ? undefined : get(get(step.run.definition, 'use'), 'authentications');
  const policy = name === undefined ? given : get(policies, name);
  for (const scheme of ['basic', 'digest'] as const) {
    const pair = get(policy, scheme);
    if (pair === undefined) continue;
    const secret = getText(pair, 'use');
    if (secret !== undefined) return { scheme, secret: declared(step, secret) };
    return {
      scheme,
      username: await textOrSecret(step, get(pair, 'username'), 'username'),
      password: await textOrSecret(step, get(pair, 'password'), 'password'),
    };
  }
  const bearer = get(policy, 'bearer');
  if (bearer !== undefined) {
    const secret = getText(bearer, 'use');
    if (secret !== undefined) return { scheme: 'bearer', secret: declared(step, secret) };
    return { scheme: 'bearer', token: await textOrSecret(step, get(bearer, 'token'), 'token') };
  }
  for (const scheme of ['oauth2', 'oidc'] as const) {
    const parts = get(policy, scheme);
    if (parts === undefined) continue;
    const secret = getText(parts, 'use');
    if (secret !== undefined)
      return { scheme: 'oauth2-secret', secret: declared(step, secret), oidc: scheme === 'oidc' };
    return oauth2PolicyOf(parts, scheme, readerOf(step));
  }
  const certificate = getText(get(policy, 'certificate'), 'use');
  if (certificate !== undefined) return { scheme: 'certificate', secret: declared(step, certificate) };
  throw fault('configuration', 'there is no such authentication, or its scheme is not supported', step.path);
}

/** Returns a reader that evaluates the expressions in the parts of a policy. */
function readerOf(step: Step): OAuth2Reader {
  return {
    value: (given) => evaluateValue(step, given ?? null, step.frame.input),
    text: (given, what) => textOrSecret(step, given, what),
    problem: (detail) => fault('configuration', detail, step.path),
  };
}

async function textOrSecret(step: Step, given: JsonValue | undefined, what: string): Promise<string | SecretReference> {
  const value = await evaluateValue(step, given ?? null, step.frame.input);
  const secret = getText(value, '$secret');
  if (secret !== undefined) return { $secret: declared(step, secret, true) };
  if (typeof value !== 'string') throw fault('authentication', `the ${what} must be a string`, step.path);
  return value;
}

/** Returns a declared secret. A function of a catalog may use a secret that it received, but cannot name one. */
function declared({ run, path, scope }: Step, secret: string, given = false): string {
  if (scope.foreign === true && !given)
    throw fault('authorization', `a function of a catalog cannot use the secret "${secret}"`, path);
  if (!run.context.secretNames.includes(secret))
    throw fault('authorization', `there is no secret "${secret}" for this workflow`, path);
  return secret;
}
