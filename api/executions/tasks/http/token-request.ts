import type { OutboundRequest } from '#api/outbound/port.ts';
import type { OAuth2Policy, OAuth2Token, SecretReference } from '../../engine/contract/http-authentication.ts';
import { assertionWithKey, assertionWithSecret, isPrivateKey } from './client-assertion.ts';

type Filled<Value> = Value extends SecretReference
  ? never
  : Value extends OAuth2Token
    ? { readonly token: string; readonly type: string }
    : Value;

/** A policy with secrets resolved. */
export type TokenPolicy = { readonly [Name in keyof OAuth2Policy]: Filled<OAuth2Policy[Name]> };

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * Returns the token request: RFC 6749 (4.3, 4.4, 6), RFC 7523 for assertions, RFC 8693 for exchanges. Throws `problem` if
 * the private key of the client cannot be used.
 */
export async function tokenRequestOf(
  policy: TokenPolicy,
  url: string,
  problem: (detail: string) => Error,
): Promise<OutboundRequest> {
  const { clientId = '', clientSecret = '', clientAssertion = '', clientAuthentication } = policy;
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'trapline' };
  const fields: [string, string][] = grantFields(policy);
  switch (clientAuthentication) {
    case 'client_secret_basic':
      headers.authorization = `Basic ${Buffer.from(`${inForm(clientId)}:${inForm(clientSecret)}`).toString('base64')}`;
      break;
    case 'client_secret_post':
      fields.push(['client_id', clientId], ['client_secret', clientSecret]);
      break;
    case 'client_secret_jwt':
      fields.push(...assertionFields(clientId, await assertionWithSecret(clientSecret, { clientId, audience: url })));
      break;
    case 'private_key_jwt':
      fields.push(
        ...assertionFields(
          clientId,
          isPrivateKey(clientAssertion)
            ? await assertionWithKey(clientAssertion, { clientId, audience: url }, problem)
            : clientAssertion,
        ),
      );
      break;
    case 'none':
      fields.push(['client_id', clientId]);
  }
  headers['content-type'] = policy.json === true ? 'application/json' : 'application/x-www-form-urlencoded';
  const body = policy.json === true ? jsonOf(fields) : new URLSearchParams(fields).toString();
  return { url, method: 'POST', headers, body };
}

function grantFields(policy: TokenPolicy): [string, string][] {
  const { grant = 'client_credentials', scopes, audiences, username = '', password = '', subject, actor } = policy;
  const fields: [string, string][] = [['grant_type', grant]];
  if (scopes.length > 0) fields.push(['scope', scopes.join(' ')]);
  for (const audience of audiences) fields.push(['audience', audience]);
  if (grant === 'password') fields.push(['username', username], ['password', password]);
  if (grant === 'refresh_token') fields.push(['refresh_token', subject?.token ?? '']);
  if (grant === 'urn:ietf:params:oauth:grant-type:token-exchange') {
    fields.push(['subject_token', subject?.token ?? ''], ['subject_token_type', subject?.type ?? ACCESS_TOKEN]);
    if (actor !== undefined) fields.push(['actor_token', actor.token], ['actor_token_type', actor.type]);
  }
  return fields;
}

function assertionFields(clientId: string, assertion: string): [string, string][] {
  const id: [string, string][] = clientId === '' ? [] : [['client_id', clientId]];
  return [...id, ['client_assertion_type', JWT_BEARER], ['client_assertion', assertion]];
}

/** Converts form fields to JSON. Repeated fields become a list. */
function jsonOf(fields: readonly (readonly [string, string])[]): string {
  const groups = [...Map.groupBy(fields, ([name]) => name)];
  return JSON.stringify(
    Object.fromEntries(
      groups.map(([name, [first, ...more]]) => [
        name,
        more.length === 0 ? first?.[1] : [first, ...more].map((each) => each?.[1]),
      ]),
    ),
  );
}

/** Form-encodes a name or password for the header, as RFC 6749 (2.3.1) requires. */
function inForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
