import type { JsonValue } from '../../json-value.ts';
import {
  CLIENT_AUTHENTICATIONS,
  type ClientAuthentication,
  GRANTS,
  type OAuth2Grant,
  type OAuth2Policy,
  type OAuth2Token,
  type SecretText,
} from '../contract/http-authentication.ts';
import { get, getText, isList } from './json.ts';

/** Reads the parts of a policy. The interpreter evaluates them; the worker reads them unchanged from a secret. */
export interface OAuth2Reader {
  value(given: JsonValue | undefined): Promise<JsonValue>;
  text(given: JsonValue | undefined, what: string): Promise<SecretText>;
  problem(detail: string): Error;
}

const DISCOVERY = '/.well-known/openid-configuration';

/** Parses an `oauth2` or `oidc` policy of the language. Rejects with `problem` if the policy is invalid. */
export async function oauth2PolicyOf(
  policy: JsonValue,
  scheme: 'oauth2' | 'oidc',
  reader: OAuth2Reader,
): Promise<OAuth2Policy> {
  const { problem } = reader;
  const client = get(policy, 'client');
  const grant = getText(policy, 'grant') ?? 'client_credentials';
  if (!isOneOf<OAuth2Grant>(GRANTS, grant))
    throw problem(`\`${scheme}\` has no grant ${grant}: ${GRANTS.join(', ')} are supported`);
  const clientAuthentication = getText(client, 'authentication') ?? 'client_secret_post';
  if (!isOneOf<ClientAuthentication>(CLIENT_AUTHENTICATIONS, clientAuthentication))
    throw problem(`\`${scheme}\` has no client authentication ${clientAuthentication}`);
  const text = async (of: JsonValue | undefined, name: string): Promise<SecretText | undefined> =>
    get(of, name) === undefined ? undefined : reader.text(get(of, name), `${name} of \`${scheme}\``);
  const list = async (name: 'scopes' | 'audiences' | 'issuers') => {
    const values = await reader.value(get(policy, name) ?? []);
    if (isList(values) && values.every((value) => typeof value === 'string')) return values as readonly string[];
    throw problem(`\`${name}\` of \`${scheme}\` must be a list of strings`);
  };
  const token = async (name: 'subject' | 'actor'): Promise<OAuth2Token | undefined> => {
    const given = get(policy, name);
    const value = await text(given, 'token');
    if (value === undefined) return undefined;
    return { token: value, type: getText(given, 'type') ?? 'urn:ietf:params:oauth:token-type:access_token' };
  };
  const found = {
    clientId: await text(client, 'id'),
    clientSecret: await text(client, 'secret'),
    clientAssertion: await text(client, 'assertion'),
    username: await text(policy, 'username'),
    password: await text(policy, 'password'),
    subject: await token('subject'),
    actor: await token('actor'),
  };
  const issuers = await list('issuers');
  const json = getText(get(policy, 'request'), 'encoding')?.startsWith('application/json') === true;
  return {
    scheme: 'oauth2',
    tokenUrl: addressOf(await reader.value(get(policy, 'authority')), policy, scheme, reader),
    ...(scheme === 'oidc' ? { discover: true } : {}),
    grant,
    ...present(found),
    clientAuthentication,
    ...(json ? { json } : {}),
    scopes: await list('scopes'),
    audiences: await list('audiences'),
    ...(issuers.length === 0 ? {} : { issuers }),
  };
}

/**
 * Returns the address of the token endpoint or of the discovery document. Keeps the path of the authority, which may
 * name a realm.
 */
function addressOf(
  authority: JsonValue,
  policy: JsonValue,
  scheme: 'oauth2' | 'oidc',
  { problem }: OAuth2Reader,
): string {
  const base = typeof authority === 'string' ? authority.replace(/\/+$/, '') : '';
  const endpoint = scheme === 'oidc' ? DISCOVERY : (getText(get(policy, 'endpoints'), 'token') ?? '/oauth2/token');
  const text = scheme === 'oidc' && base.endsWith(DISCOVERY) ? base : `${base}/${endpoint.replace(/^\/+/, '')}`;
  const url = URL.parse(text);
  if (url === null) throw problem(`the \`authority\` of \`${scheme}\` must be an address`);
  return url.href;
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

type Present<Parts> = { readonly [Name in keyof Parts]?: Exclude<Parts[Name], undefined> };

function present<Parts extends Readonly<Record<string, unknown>>>(parts: Parts): Present<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Present<Parts>;
}
