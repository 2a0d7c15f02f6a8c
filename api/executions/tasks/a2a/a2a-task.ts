import type { A2aTask } from '../../engine/contract/call-task.ts';
import type { HttpAuthentication } from '../../engine/contract/http-authentication.ts';
import { get, getText, isList, isObject } from '../../engine/interpreter/json.ts';
import type { JsonValue } from '../../json-value.ts';
import type { Documents } from '../documents/documents.ts';
import { taskFailure } from '../failures.ts';
import type { SendHttp } from '../http/http-exchange.ts';
import type { TaskContext } from '../port.ts';
import { uuidOf } from '../uuid-of.ts';
import { readEvents } from './read-events.ts';

const MESSAGES = new Set(['message/send', 'message/stream']);
const STREAMS = new Set(['message/stream', 'tasks/resubscribe']);
const MAX_DETAIL = 500;

/**
 * Creates the task that calls a method of an agent: JSON-RPC over HTTP. The output is the result; for a stream, it is
 * the list of results.
 */
export function createA2aTask({ send, documents }: { readonly send: SendHttp; readonly documents: Documents }) {
  return async (task: A2aTask, context: TaskContext): Promise<JsonValue> => {
    const { method, parameters } = task;
    const { endpoint, authentication } = await agentOf(task, context, documents);
    const params = MESSAGES.has(method) ? withDefaults(parameters, context) : parameters;
    const streams = STREAMS.has(method);
    const exchange = await send(
      {
        kind: 'http',
        method: 'POST',
        endpoint,
        headers: {
          'content-type': 'application/json',
          accept: streams ? 'text/event-stream, application/json' : 'application/json',
        },
        query: {},
        body: { jsonrpc: '2.0', id: uuidOf(context.idempotencyKey), method, params },
        output: 'content',
        redirect: false,
        ...(authentication === undefined ? {} : { authentication }),
      },
      context,
    );
    const content = exchange.output();
    const isStream = exchange.headers['content-type']?.startsWith('text/event-stream') === true;
    if (!isStream) {
      const result = resultOf(content, method, context.step);
      return streams ? [result] : result;
    }
    return readEvents(exchange.text).map((data) => resultOf(parsed(data), method, context.step));
  };
}

/**
 * Returns the endpoint of the agent. The agent receives the credentials for its card only if both have the same origin,
 * because a card can name any address.
 */
async function agentOf(
  { server, agentCard }: A2aTask,
  context: TaskContext,
  documents: Documents,
): Promise<{ readonly endpoint: string; readonly authentication?: HttpAuthentication | undefined }> {
  if (server !== undefined) return server;
  if (agentCard === undefined) throw taskFailure('configuration', context.step, 'the call names no agent');
  const card = await documents.value(agentCard, context);
  const interfaces = get(card, 'supportedInterfaces') ?? get(card, 'additionalInterfaces');
  const offered = (isList(interfaces) ? interfaces : []).find((each) =>
    [getText(each, 'transport'), getText(each, 'protocolBinding')].includes('JSONRPC'),
  );
  const own = (getText(card, 'preferredTransport') ?? 'JSONRPC') === 'JSONRPC' ? getText(card, 'url') : undefined;
  const url = URL.parse(own ?? getText(offered, 'url') ?? '', agentCard.endpoint);
  if (url === null || (own ?? offered) === undefined)
    throw taskFailure('configuration', context.step, 'the agent card names no address for JSON-RPC');
  const sameOrigin = URL.parse(agentCard.endpoint)?.origin === url.origin;
  return { endpoint: url.href, authentication: sameOrigin ? agentCard.authentication : undefined };
}

/** Adds a missing id and role to a message. The id stays the same when the step is repeated after a crash. */
function withDefaults(parameters: JsonValue, { idempotencyKey }: TaskContext): JsonValue {
  const message = get(parameters, 'message');
  if (!isObject(parameters) || !isObject(message)) return parameters;
  return {
    ...parameters,
    message: { kind: 'message', messageId: uuidOf(`${idempotencyKey}:message`), role: 'user', ...message },
  };
}

function resultOf(answer: JsonValue, method: string, step: string): JsonValue {
  const error = get(answer, 'error');
  if (error !== undefined && error !== null) {
    const message = getText(error, 'message') ?? JSON.stringify(error);
    const code = get(error, 'code');
    throw taskFailure('runtime', step, `${method}: ${message.slice(0, MAX_DETAIL)} (${String(code ?? 'no code')})`);
  }
  const result = get(answer, 'result');
  if (result === undefined) throw taskFailure('communication', step, `${method}: the response is not JSON-RPC`);
  return result;
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
