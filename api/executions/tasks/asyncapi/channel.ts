import type { AsyncApiTask } from '../../engine/contract/call-task.ts';
import { get, getText, isList, isObject } from '../../engine/interpreter/json.ts';
import type { JsonValue } from '../../json-value.ts';
import { resolveReference } from '../documents/resolve-reference.ts';

/** Thrown for a problem of a document, or an unsupported request to it. */
export class AsyncApiProblem extends Error {}

/** Destination of the messages of a call. */
export interface Channel {
  readonly protocol: 'http' | 'kafka';
  readonly secure: boolean;
  /** Host with port and path, without the protocol. */
  readonly server: string;
  /** Topic or path. */
  readonly address: string;
  /** HTTP method. */
  readonly method: string;
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
}

const PROTOCOLS: Readonly<Record<string, { readonly protocol: Channel['protocol']; readonly secure: boolean }>> = {
  http: { protocol: 'http', secure: false },
  https: { protocol: 'http', secure: true },
  kafka: { protocol: 'kafka', secure: false },
  'kafka-secure': { protocol: 'kafka', secure: true },
};
const MECHANISMS: Readonly<Record<string, Channel['mechanism']>> = {
  scramSha256: 'scram-sha-256',
  scramSha512: 'scram-sha-512',
};

/** Finds the channel and the server of a call. Throws `AsyncApiProblem`. */
export function channelOf(document: JsonValue, task: AsyncApiTask): Channel {
  const version = getText(document, 'asyncapi') ?? '';
  if (!/^[23]\./.test(version)) throw new AsyncApiProblem('the document is not an AsyncAPI document of version 2 or 3');
  const resolve = (value: JsonValue | undefined) =>
    resolveReference(document, value, (message) => new AsyncApiProblem(message));
  const { name, channel, operation } = version.startsWith('2.')
    ? ofVersion2(document, task)
    : ofVersion3(document, task, resolve);
  const [serverName, server] = serverOf(document, channel, task, resolve);
  const protocol = PROTOCOLS[getText(server, 'protocol') ?? ''];
  if (protocol === undefined)
    throw new AsyncApiProblem(
      `the server ${serverName} has the protocol ${getText(server, 'protocol') ?? ''}: http and kafka are supported`,
    );
  const variables = { ...defaultsOf(get(server, 'variables')), ...task.server?.variables };
  const host = getText(server, 'host') ?? getText(server, 'url') ?? '';
  const at = `${host}${getText(server, 'pathname') ?? ''}`.replace(/^[a-z][a-z+.-]*:\/\//i, '');
  const topic = getText(get(get(channel, 'bindings'), 'kafka'), 'topic');
  return {
    ...protocol,
    server: filled(at, variables).replace(/\/+$/, ''),
    address: filled(
      (protocol.protocol === 'kafka' ? topic : undefined) ?? getText(channel, 'address') ?? name,
      variables,
    ),
    method: getText(get(get(operation, 'bindings'), 'http'), 'method') ?? 'POST',
    mechanism: mechanismOf(document, server, resolve),
  };
}

interface Found {
  readonly name: string;
  readonly channel: JsonValue | undefined;
  readonly operation: JsonValue | undefined;
}

function ofVersion2(document: JsonValue, { channel: name, message }: AsyncApiTask): Found {
  const channel = name === undefined ? undefined : get(get(document, 'channels'), name);
  if (name === undefined || channel === undefined)
    throw new AsyncApiProblem(`the document has no channel ${name ?? ''}`);
  return { name, channel, operation: get(channel, message === undefined ? 'subscribe' : 'publish') };
}

function ofVersion3(document: JsonValue, { operation: name }: AsyncApiTask, resolve: Resolve): Found {
  const operation = resolve(get(get(document, 'operations'), (name ?? '').replace(/^#\/operations\//, '')));
  if (operation === undefined) throw new AsyncApiProblem(`the document has no operation ${name ?? ''}`);
  const reference = getText(get(operation, 'channel'), '$ref');
  return { name: reference?.split('/').at(-1) ?? '', channel: resolve(get(operation, 'channel')), operation };
}

type Resolve = (value: JsonValue | undefined) => JsonValue | undefined;

/**
 * Returns the server that the call names. Otherwise returns the first server of the channel with the protocol of the
 * call, or with a supported one.
 */
function serverOf(
  document: JsonValue,
  channel: JsonValue | undefined,
  task: AsyncApiTask,
  resolve: Resolve,
): readonly [string, JsonValue] {
  const servers = get(document, 'servers');
  const all = isObject(servers) ? Object.entries(servers) : [];
  const own = get(channel, 'servers');
  const names = (isList(own) ? own : []).map((each) =>
    typeof each === 'string' ? each : getText(each, '$ref')?.split('/').at(-1),
  );
  const offered = names.length === 0 ? all : all.filter(([name]) => names.includes(name));
  const wanted = task.server?.name;
  const found = offered
    .map(([name, server]) => [name, resolve(server) ?? null] as const)
    .find(([name, server]) => {
      if (wanted !== undefined) return name === wanted;
      const protocol = getText(server, 'protocol') ?? '';
      return task.protocol === undefined
        ? Object.hasOwn(PROTOCOLS, protocol)
        : PROTOCOLS[protocol]?.protocol === task.protocol;
    });
  if (found === undefined)
    throw new AsyncApiProblem(
      `the channel has no server ${wanted ?? `of the protocol ${task.protocol ?? 'http or kafka'}`}`,
    );
  return found;
}

function mechanismOf(document: JsonValue, server: JsonValue, resolve: Resolve): Channel['mechanism'] {
  const security = get(server, 'security');
  for (const each of isList(security) ? security : []) {
    const names = isObject(each) ? Object.keys(each) : [];
    const schemes = [
      resolve(each),
      ...names.map((name) => resolve(get(get(get(document, 'components'), 'securitySchemes'), name))),
    ];
    for (const scheme of schemes) {
      const mechanism = MECHANISMS[getText(scheme, 'type') ?? ''];
      if (mechanism !== undefined) return mechanism;
    }
  }
  return 'plain';
}

function defaultsOf(variables: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  const given = isObject(variables) ? Object.entries(variables) : [];
  return Object.fromEntries(
    given.flatMap(([name, variable]) =>
      get(variable, 'default') === undefined ? [] : [[name, get(variable, 'default') ?? null]],
    ),
  );
}

function filled(text: string, variables: Readonly<Record<string, JsonValue>>): string {
  return text.replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined || value === null || typeof value === 'object')
      throw new AsyncApiProblem(`the variable ${name} has no value`);
    return String(value);
  });
}
