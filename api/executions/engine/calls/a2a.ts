import type { ExternalTask } from '../contract/external-task.ts';
import { fault } from '../interpreter/faults.ts';
import type { Step } from '../interpreter/frames.ts';
import { get, getText } from '../interpreter/json.ts';
import { checkResource, resourceOf } from '../interpreter/resource.ts';
import { evaluateValue } from '../interpreter/values.ts';
import type { CallProtocol } from './call-protocol.ts';

const METHODS = [
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/list',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
];

export const a2a: CallProtocol = {
  note: '`a2a`: a method of an Agent2Agent agent, by its agent card or URL.',
  schema: {
    type: 'object',
    required: ['method'],
    additionalProperties: false,
    anyOf: [{ required: ['agentCard'] }, { required: ['server'] }],
    properties: {
      agentCard: { $ref: '#/$defs/externalResource' },
      server: { $ref: '#/$defs/endpoint' },
      method: { type: 'string', enum: METHODS },
      parameters: { type: ['object', 'string'] },
    },
  },
  check: (given, checker) => {
    checkResource(get(given, 'agentCard'), ['agentCard'], checker);
    checker.endpoint(get(given, 'server'), ['server']);
  },
  prepare: a2aTask,
  detail: (given) => getText(given, 'method'),
};

async function a2aTask(step: Step): Promise<ExternalTask> {
  const given = get(step.task, 'with');
  const server = get(given, 'server');
  const card = get(given, 'agentCard');
  if (server === undefined && card === undefined)
    throw fault('configuration', 'the call needs `agentCard` or `server`', step.path);
  return {
    kind: 'a2a',
    ...(server === undefined ? {} : { server: await resourceOf(step, { endpoint: server }) }),
    ...(card === undefined ? {} : { agentCard: await resourceOf(step, card) }),
    method: getText(given, 'method') ?? '',
    parameters: await evaluateValue(step, get(given, 'parameters') ?? {}, step.frame.input),
  };
}
