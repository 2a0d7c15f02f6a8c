import type { JsonValue } from '../../json-value.ts';
import type { ExternalTask, HttpAuthentication, SecretReference } from '../port.ts';
import { fault } from './faults.ts';
import type { Step } from './frames.ts';
import { get, getText, isList, isObject, type JsonObject } from './json.ts';
import { evaluateObject, evaluateValue } from './values.ts';

/** The arguments of `call: http`, evaluated. Secrets stay names. */
export async function httpTask(step: Step): Promise<ExternalTask & { kind: 'http' }> {
  const { task, path, frame } = step;
  const args = get(task, 'with');
  const method = await evaluateValue(step, get(args, 'method') ?? null, frame.input);
  if (typeof method !== 'string' || !/^[A-Za-z]{1,20}$/.test(method))
    throw fault('configuration', '`method` is no HTTP method', path);
  const output = get(args, 'output') ?? 'content';
  if (output !== 'content' && output !== 'response' && output !== 'raw')
    throw fault('configuration', '`output` is one of content, response, raw', path);
  const given = get(args, 'body');
  const authentication = await authenticationOf(step, get(get(args, 'endpoint'), 'authentication'));
  return {
    kind: 'http',
    method: method.toUpperCase(),
    endpoint: await endpointOf(step, get(args, 'endpoint')),
    headers: texts(await evaluateObject(step, get(args, 'headers'), '`headers`'), path),
    query: texts(await evaluateObject(step, get(args, 'query'), '`query`'), path),
    ...(authentication === undefined ? {} : { authentication }),
    body: given === undefined ? undefined : await evaluateValue(step, given, frame.input),
    output,
    redirect: get(args, 'redirect') === true,
  };
}

/** An expression, or a URI template whose `{name}` are taken from the input and escaped (RFC 6570, level 1). */
async function endpointOf(step: Step, endpoint: JsonValue | undefined): Promise<string> {
  const uri = isObject(endpoint) ? get(endpoint, 'uri') : endpoint;
  if (typeof uri !== 'string') throw fault('configuration', 'the call has no endpoint', step.path);
  const { input } = step.frame;
  if (uri.includes('${')) {
    const value = await evaluateValue(step, uri, input);
    if (typeof value !== 'string') throw fault('expression', 'the endpoint is no text', step.path);
    return value;
  }
  return uri.replace(/\{([A-Za-z_][\w.-]*)\}/g, (_all, name: string) => {
    const value = get(input, name);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw fault('expression', `the input has no simple value "${name}" for the endpoint`, step.path);
    return encodeURIComponent(value);
  });
}

/** Headers and query are texts or secrets; what is null is left out. */
function texts(values: JsonObject, path: string): Readonly<Record<string, string | SecretReference>> {
  const result: [string, string | SecretReference][] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue;
    const secret = getText(value, '$secret');
    if (secret !== undefined) result.push([name, { $secret: secret }]);
    else if (typeof value === 'object') throw fault('configuration', `"${name}" is no text`, path);
    else result.push([name, String(value)]);
  }
  return Object.fromEntries(result);
}

async function authenticationOf(step: Step, given: JsonValue | undefined): Promise<HttpAuthentication | undefined> {
  if (given === undefined) return undefined;
  const name = getText(given, 'use') ?? (typeof given === 'string' ? given : undefined);
  const policy = name === undefined ? given : get(get(get(step.run.definition, 'use'), 'authentications'), name);
  const basic = get(policy, 'basic');
  const bearer = get(policy, 'bearer');
  const secret = getText(basic, 'use') ?? getText(bearer, 'use');
  if (basic !== undefined) {
    if (secret !== undefined) return { scheme: 'basic', secret: declared(step, secret) };
    return {
      scheme: 'basic',
      username: await textOrSecret(step, get(basic, 'username'), 'username'),
      password: await textOrSecret(step, get(basic, 'password'), 'password'),
    };
  }
  if (bearer !== undefined) {
    if (secret !== undefined) return { scheme: 'bearer', secret: declared(step, secret) };
    return { scheme: 'bearer', token: await textOrSecret(step, get(bearer, 'token'), 'token') };
  }
  const oauth2 = get(policy, 'oauth2');
  if (oauth2 !== undefined) return clientCredentialsOf(step, oauth2);
  throw fault('configuration', 'there is no such authentication, or its scheme is not done here', step.path);
}

/** The grant of client credentials: the other grants need a person. */
async function clientCredentialsOf(step: Step, policy: JsonValue): Promise<HttpAuthentication> {
  const client = get(policy, 'client');
  const authority = await evaluateValue(step, get(policy, 'authority') ?? null, step.frame.input);
  const at = getText(get(policy, 'endpoints'), 'token') ?? '/oauth2/token';
  // The path of the authority stays: `https://id.example.org/realms/a` and `/oauth2/token` are one address.
  const tokenUrl =
    typeof authority === 'string' ? URL.parse(`${authority.replace(/\/+$/, '')}/${at.replace(/^\/+/, '')}`) : null;
  if (tokenUrl === null) throw fault('configuration', 'the `authority` of `oauth2` is no address', step.path);
  const list = async (name: 'scopes' | 'audiences') => {
    const values = await evaluateValue(step, get(policy, name) ?? [], step.frame.input);
    if (isList(values) && values.every((value) => typeof value === 'string')) return values as readonly string[];
    throw fault('configuration', `\`${name}\` of \`oauth2\` is no list of texts`, step.path);
  };
  return {
    scheme: 'oauth2',
    tokenUrl: tokenUrl.href,
    clientId: await textOrSecret(step, get(client, 'id'), 'id of the client'),
    clientSecret: await textOrSecret(step, get(client, 'secret'), 'secret of the client'),
    clientAuthentication:
      getText(client, 'authentication') === 'client_secret_basic' ? 'client_secret_basic' : 'client_secret_post',
    scopes: await list('scopes'),
    audiences: await list('audiences'),
  };
}

async function textOrSecret(step: Step, given: JsonValue | undefined, what: string): Promise<string | SecretReference> {
  const value = await evaluateValue(step, given ?? null, step.frame.input);
  const secret = getText(value, '$secret');
  if (secret !== undefined) return { $secret: declared(step, secret) };
  if (typeof value !== 'string') throw fault('authentication', `the ${what} is no text`, step.path);
  return value;
}

function declared({ run, path }: Step, secret: string): string {
  if (!run.context.secretNames.includes(secret))
    throw fault('authorization', `there is no secret "${secret}" for this workflow`, path);
  return secret;
}
