import type { JsonValue } from '../../json-value.ts';
import { authenticationOf } from '../interpreter/authentication.ts';
import { fault } from '../interpreter/faults.ts';
import type { Step } from '../interpreter/frames.ts';
import { texts } from '../interpreter/http-task.ts';
import { get, getText } from '../interpreter/json.ts';
import { checkResource, resourceOf } from '../interpreter/resource.ts';
import { evaluateDuration, evaluateObject, evaluateValue } from '../interpreter/values.ts';
import type { ExternalTask } from '../port.ts';
import type { CallProtocol } from './call-protocol.ts';

type AsyncApiTask = Extract<ExternalTask, { kind: 'asyncapi' }>;

const PROTOCOLS = ['http', 'kafka'];

export const asyncapi: CallProtocol = {
  note: '`asyncapi`: sends a message over HTTP or Kafka, or receives messages from Kafka, as an AsyncAPI document (2, 3) describes it. `filter` and `foreach` apply to the messages that were received.',
  refusals: {
    protocol: 'Of the protocols of AsyncAPI, `http` and `kafka` are supported.',
    subscription:
      'A subscription ends by `consume.amount` or `consume.for`; `while` and `until` are not supported: use `filter`, or tasks after the call.',
  },
  check: (given, checker) => {
    checkResource(get(given, 'document'), ['document'], checker);
    checker.authentication(get(given, 'authentication'), ['authentication']);
    const protocol = getText(given, 'protocol');
    if (protocol !== undefined && !PROTOCOLS.includes(protocol)) checker.refuse('protocol', ['protocol'], protocol);
    const subscription = get(given, 'subscription');
    const consume = get(subscription, 'consume');
    for (const part of ['while', 'until'])
      if (get(consume, part) !== undefined) checker.refuse('subscription', ['subscription', 'consume', part], part);
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

async function subscriptionOf(step: Step, given: JsonValue): Promise<NonNullable<AsyncApiTask['subscription']>> {
  const consume = get(given, 'consume');
  const amount = await evaluateValue(step, get(consume, 'amount') ?? null, step.frame.input);
  const time = get(consume, 'for');
  if (amount !== null && (typeof amount !== 'number' || amount < 1))
    throw fault('configuration', '`amount` is a number from 1 on', step.path);
  if (amount === null && time === undefined)
    throw fault('configuration', 'the subscription has neither `amount` nor `for`', step.path);
  return {
    ...(amount === null ? {} : { amount }),
    ...(time === undefined ? {} : { forMs: await evaluateDuration(step, time, '`for`') }),
  };
}
