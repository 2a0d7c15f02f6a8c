import type { JsonValue } from '../../json-value.ts';
import { GRANTS } from '../contract/http-authentication.ts';
import { get, getText } from '../interpreter/json.ts';

/** A missing or unsupported part of a policy. */
export interface PolicyRefusal {
  readonly key: 'authentication.oauth2.grant' | 'authentication.oauth2.client' | 'authentication.oauth2.part';
  readonly path: readonly string[];
  readonly detail?: string;
}

/** Required parts by grant type. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  password: ['username', 'password'],
  refresh_token: ['subject'],
  'urn:ietf:params:oauth:grant-type:token-exchange': ['subject'],
};

/** Validates an OAuth 2.0 or OpenID Connect policy. A policy that refers to a secret is validated when it is used. */
export function checkOAuth2(policy: JsonValue | undefined): readonly PolicyRefusal[] {
  if (policy === undefined || get(policy, 'use') !== undefined) return [];
  // Optional in the schema of the language.
  const grant = getText(policy, 'grant') ?? 'client_credentials';
  if (!(GRANTS as readonly string[]).includes(grant))
    return [{ key: 'authentication.oauth2.grant', path: ['grant'], detail: grant }];
  const missing = (NEEDED[grant] ?? []).filter((part) => get(policy, part) === undefined);
  return [
    ...missing.map((part): PolicyRefusal => ({ key: 'authentication.oauth2.part', path: ['grant'], detail: part })),
    ...clientProblems(get(policy, 'client')),
  ];
}

function clientProblems(client: JsonValue | undefined): readonly PolicyRefusal[] {
  const how = getText(client, 'authentication') ?? 'client_secret_post';
  const needed = how === 'private_key_jwt' ? ['assertion'] : how === 'none' ? ['id'] : ['id', 'secret'];
  const missing = needed.filter((part) => get(client, part) === undefined);
  return missing.map((part) => ({ key: 'authentication.oauth2.client', path: ['client'], detail: part }));
}
