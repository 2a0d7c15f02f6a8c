import { fault } from '../interpreter/faults.ts';
import type { Step } from '../interpreter/frames.ts';
import { texts } from '../interpreter/http-task.ts';
import { get, getText } from '../interpreter/json.ts';
import { checkResource, resourceOf } from '../interpreter/resource.ts';
import { evaluateObject, evaluateValue } from '../interpreter/values.ts';
import type { ExternalTask } from '../port.ts';
import type { CallProtocol } from './call-protocol.ts';

const METHODS = [
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
];

const TEXT = { type: 'string' };

export const mcp: CallProtocol = {
  note: '`mcp`: a method of a server of the Model Context Protocol over HTTP.',
  schema: {
    type: 'object',
    required: ['method', 'transport'],
    additionalProperties: false,
    properties: {
      protocolVersion: TEXT,
      method: { type: 'string', enum: METHODS },
      parameters: { type: ['object', 'string'] },
      timeout: { $ref: '#/$defs/duration' },
      transport: {
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        properties: {
          http: {
            type: 'object',
            required: ['endpoint'],
            additionalProperties: false,
            properties: { endpoint: { $ref: '#/$defs/endpoint' }, headers: { type: 'object' } },
          },
          stdio: { type: 'object' },
          options: { type: 'object' },
        },
      },
      client: {
        type: 'object',
        required: ['name', 'version'],
        additionalProperties: false,
        properties: { name: TEXT, version: TEXT, description: TEXT },
      },
    },
  },
  refusals: {
    stdio:
      'A server over standard input and output is a program of this machine, and is not started: use `transport.http`.',
    timeout: 'The time-out of a task is `timeout` of the task.',
  },
  check: (given, checker) => {
    const transport = get(given, 'transport');
    if (get(transport, 'stdio') !== undefined) checker.refuse('stdio', ['transport', 'stdio']);
    if (get(given, 'timeout') !== undefined) checker.refuse('timeout', ['timeout']);
    checkResource(get(transport, 'http'), ['transport', 'http'], checker);
  },
  prepare: mcpTask,
  detail: (given) => {
    const parameters = get(given, 'parameters');
    return [getText(given, 'method'), getText(parameters, 'name') ?? getText(parameters, 'uri')]
      .filter(Boolean)
      .join(' ');
  },
};

async function mcpTask(step: Step): Promise<ExternalTask> {
  const given = get(step.task, 'with');
  const http = get(get(given, 'transport'), 'http');
  if (http === undefined) throw fault('configuration', 'the call has no `transport.http`', step.path);
  const version = getText(given, 'protocolVersion');
  return {
    kind: 'mcp',
    server: await resourceOf(step, http),
    headers: texts(await evaluateObject(step, get(http, 'headers'), '`headers`'), step.path),
    method: getText(given, 'method') ?? '',
    parameters: await evaluateValue(step, get(given, 'parameters') ?? {}, step.frame.input),
    ...(version === undefined ? {} : { protocolVersion: version }),
    client: {
      name: getText(get(given, 'client'), 'name') ?? 'trapline',
      version: getText(get(given, 'client'), 'version') ?? '1',
    },
  };
}
