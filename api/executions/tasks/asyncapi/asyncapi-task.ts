import { OutboundFailure } from '#api/outbound/port.ts';
import { accountOf } from '../../engine/account.ts';
import type { AsyncApiTask, HttpTask } from '../../engine/contract/call-task.ts';
import type { EvaluateFor } from '../../expressions/evaluate.ts';
import type { JsonValue } from '../../json-value.ts';
import type { Documents } from '../documents/documents.ts';
import { taskFailure } from '../failures.ts';
import { certificateIn, referencesOf, resolveAuthentication } from '../http/authentication.ts';
import { outboundFailure } from '../outbound-failure.ts';
import type { TaskContext } from '../port.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf, type TaskSecrets } from '../secrets.ts';
import { uuidOf } from '../uuid-of.ts';
import { AsyncApiProblem, type Channel, channelOf } from './channel.ts';
import { createMessageJudge, holdsFor } from './judge-messages.ts';
import type { BrokerConnection, MessageBroker } from './port.ts';

export interface AsyncApiTaskDeps {
  readonly http: (task: HttpTask, context: TaskContext) => Promise<JsonValue>;
  readonly documents: Documents;
  readonly broker: MessageBroker;
  readonly resolveSecrets: ResolveSecrets;
  /** Evaluates the expressions of subscriptions. */
  readonly evaluate: EvaluateFor;
}

const MAX_RECEIVE_MS = 600_000;

/**
 * Creates the task that sends or receives messages as described by an AsyncAPI document. When it sends, the output is
 * the message or the HTTP response.
 */
export function createAsyncApiTask({ http, documents, broker, resolveSecrets, evaluate }: AsyncApiTaskDeps) {
  return async (task: AsyncApiTask, context: TaskContext): Promise<JsonValue> => {
    const channel = channelIn(await documents.value(task.document, context), task, context);
    if (channel.protocol === 'http') return overHttp(task, channel, context);
    const secrets = await secretsOf([task.message, referencesOf(task.authentication)], context, resolveSecrets);
    const connection = await connectionOf(channel, task, secrets, context);
    for (const broker of connection.brokers)
      secrets.requireHost({ ...brokerAddress(broker), secure: connection.secure });
    const redaction = createRedaction(secrets.used());
    try {
      return redaction.json(await overKafka(task, { channel, connection, secrets, context }));
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      throw outboundFailure(error, context, `topic ${channel.address}`);
    }
  };

  function overHttp(
    task: AsyncApiTask,
    { secure, server, address, method }: Channel,
    context: TaskContext,
  ): Promise<JsonValue> {
    const { message, authentication } = task;
    if (message === undefined)
      throw taskFailure('configuration', context.step, 'messages are received from Kafka only: use `listen` for HTTP');
    return http(
      {
        kind: 'http',
        method,
        endpoint: `${secure ? 'https' : 'http'}://${server}/${address.replace(/^\/+/, '')}`,
        headers: message.headers,
        query: {},
        body: message.payload,
        output: 'content',
        redirect: false,
        ...(authentication === undefined ? {} : { authentication }),
      },
      context,
    );
  }

  async function overKafka(
    { message, subscription }: AsyncApiTask,
    { channel, connection, secrets, context }: KafkaCall,
  ): Promise<JsonValue> {
    if (message === undefined) {
      const given = subscription ?? {};
      const evaluatedFor = { step: context.step, account: accountOf(context.ownerId) };
      const { judge, throwFailure } = createMessageJudge(given, holdsFor(evaluate, given, evaluatedFor));
      const end = {
        group: `trapline-${uuidOf(context.idempotencyKey)}`,
        judge,
        forMs: Math.min(given.forMs ?? MAX_RECEIVE_MS, MAX_RECEIVE_MS),
      };
      const messages = await broker.receive(connection, channel.address, end, context.signal);
      throwFailure();
      return messages as unknown as JsonValue;
    }
    const headers = Object.entries(message.headers).map(([name, value]) => [name, secrets.text(value)] as const);
    const payload = secrets.fill(message.payload);
    const value = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const all = { 'idempotency-key': context.idempotencyKey, ...Object.fromEntries(headers) };
    await broker.publish(connection, channel.address, { value, headers: all }, context.signal);
    return payload;
  }
}

interface KafkaCall {
  readonly channel: Channel;
  readonly connection: BrokerConnection;
  readonly secrets: TaskSecrets;
  readonly context: TaskContext;
}

function channelIn(document: JsonValue, task: AsyncApiTask, { step }: TaskContext): Channel {
  try {
    return channelOf(document, task);
  } catch (error) {
    if (!(error instanceof AsyncApiProblem)) throw error;
    throw taskFailure('configuration', step, error.message);
  }
}

/** Uses 9092, the default port of Kafka, if the document names none. */
function brokerAddress(broker: string): { readonly host: string; readonly port: number } {
  const [, host = broker, port = '9092'] = /^(.*?)(?::(\d+))?$/.exec(broker) ?? [];
  return { host, port: Number(port) };
}

/** Supports user and password (`basic`) and client certificates for Kafka. The document names the SASL mechanism. */
async function connectionOf(
  { server, secure, mechanism }: Channel,
  { authentication }: AsyncApiTask,
  secrets: TaskSecrets,
  { step }: TaskContext,
): Promise<BrokerConnection> {
  const brokers = server.split(',').map((each) => each.trim());
  if (authentication === undefined) return { brokers, secure };
  if (authentication.scheme === 'certificate') {
    const certificate = certificateIn(await resolveAuthentication(authentication, secrets, step), secure, step);
    return { brokers, secure, ...(certificate === undefined ? {} : { certificate }) };
  }
  if (authentication.scheme !== 'basic')
    throw taskFailure(
      'configuration',
      step,
      `Kafka has no ${authentication.scheme} authentication: use \`basic\` or \`certificate\``,
    );
  const resolved = await resolveAuthentication({ ...authentication, scheme: 'digest' }, secrets, step);
  if (resolved?.scheme !== 'digest')
    throw taskFailure('configuration', step, 'the authentication has no user and password');
  const { username, password } = resolved;
  return { brokers, secure, sasl: { mechanism, username, password } };
}
