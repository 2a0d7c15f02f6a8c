import type { JsonValue } from '../../json-value.ts';
import type { MessageSubscription } from '../contract/call-task.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import { authenticationOf } from '../interpreter/authentication.ts';
import { fault } from '../interpreter/faults.ts';
import type { Step } from '../interpreter/frames.ts';
import { texts } from '../interpreter/http-task.ts';
import { get, getText } from '../interpreter/json.ts';
import { checkResource, resourceOf } from '../interpreter/resource.ts';
import { evaluateDuration, evaluateObject, evaluateValue, variablesNamed } from '../interpreter/values.ts';
import type { CallProtocol } from './call-protocol.ts';

const PROTOCOLS = ['http', 'kafka'];
const MAX_MESSAGES = 1_000;

export const asyncapi: CallProtocol = {
  note: '`asyncapi`: sends a message over HTTP or Kafka, or receives messages from Kafka, by an AsyncAPI document (2, 3). `consume.amount` (at most 1,000) counts the messages that pass `filter`. `while` and `until` are evaluated for each message. `foreach` begins when the subscription has ended.',
  expressions: ['filter', 'consume/while', 'consume/until', 'foreach/output/as', 'foreach/export/as'].map(
    (place) => `subscription/${place}`,
  ),
  refusals: {
    protocol: 'Unsupported protocol. Use `http` or `kafka`.',
    amount: `A subscription takes from 1 to ${MAX_MESSAGES} messages.`,
  },
  check: (given, checker) => {
    checkResource(get(given, 'document'), ['document'], checker);
    checker.authentication(get(given, 'authentication'), ['authentication']);
    const protocol = getText(given, 'protocol');
    if (protocol !== undefined && !PROTOCOLS.includes(protocol)) checker.refuse('protocol', ['protocol'], protocol);
    const amount = get(get(get(given, 'subscription'), 'consume'), 'amount');
    if (typeof amount === 'number' && !isAmount(amount))
      checker.refuse('amount', ['subscription', 'consume', 'amount'], String(amount));
  },
  prepare: asyncApiTask,
  detail: (given) => getText(given, 'operation') ?? getText(given, 'channel'),
};

async function asyncApiTask(step: Step): Promise<ExternalTask> {
  const given = get(step.task, 'with');
  const { input } = step.frame;
  const channel = getText(given, 'channel');
  const operation = getText(given, 'operation');
  const protocol = getText(given, 'protocol');
  const server = get(given, 'server');
  const message = get(given, 'message');
  const authentication = await authenticationOf(step, get(given, 'authentication'));
  return {
    kind: 'asyncapi',
    document: await resourceOf(step, get(given, 'document')),
    ...(channel === undefined ? {} : { channel }),
    ...(operation === undefined ? {} : { operation }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(authentication === undefined ? {} : { authentication }),
    ...(server === undefined
      ? {}
      : {
          server: {
            name: getText(server, 'name') ?? '',
            variables: await evaluateObject(step, get(server, 'variables'), '`variables`'),
          },
        }),
    ...(message === undefined
      ? { subscription: await subscriptionOf(step, get(given, 'subscription') ?? null) }
      : {
          message: {
            payload: await evaluateValue(step, get(message, 'payload') ?? null, input),
            headers: texts(await evaluateObject(step, get(message, 'headers'), '`headers`'), step.path),
          },
        }),
  };
}

const isAmount = (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_MESSAGES;

async function subscriptionOf(step: Step, given: JsonValue): Promise<MessageSubscription> {
  const consume = get(given, 'consume');
  const amount = await evaluateValue(step, get(consume, 'amount') ?? null, step.frame.input);
  const time = get(consume, 'for');
  if (amount !== null && (typeof amount !== 'number' || !isAmount(amount)))
    throw fault('configuration', `\`amount\` is a number from 1 to ${MAX_MESSAGES}`, step.path);
  const expressions = Object.fromEntries(
    (
      [
        ['filter', get(given, 'filter')],
        ['while', get(consume, 'while')],
        ['until', get(consume, 'until')],
      ] as const
    ).flatMap(([name, expression]) => (typeof expression === 'string' ? [[name, expression]] : [])),
  );
  const endless = amount === null && expressions.while === undefined && expressions.until === undefined;
  if (endless && time === undefined)
    throw fault(
      'configuration',
      '`consume` needs `amount`, `for`, `while` or `until`, so that the subscription ends',
      step.path,
    );
  return {
    ...expressions,
    ...(amount === null ? {} : { amount }),
    ...(time === undefined ? {} : { forMs: await evaluateDuration(step, time, '`for`') }),
    variables: variablesNamed(step, Object.values(expressions)),
  };
}
