import type { JsonValue } from '../../json-value.ts';
import type { McpTask } from '../contract/call-task.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import { fault } from '../interpreter/faults.ts';
import type { Step } from '../interpreter/frames.ts';
import { texts } from '../interpreter/http-task.ts';
import { get, getText, isList } from '../interpreter/json.ts';
import { checkResource, resourceOf } from '../interpreter/resource.ts';
import { evaluateDuration, evaluateObject, evaluateValue } from '../interpreter/values.ts';
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
  note: '`mcp`: a method of a Model Context Protocol server, over HTTP or, if the operator allows it, over standard input and output.',
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
          stdio: {
            type: 'object',
            required: ['command'],
            additionalProperties: false,
            properties: {
              command: TEXT,
              arguments: { type: 'array', items: TEXT },
              environment: { type: 'object' },
            },
          },
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
      'MCP servers over standard input and output are not enabled. Use `transport.http`, or let the operator set `TRAPLINE_SHELL_TASKS`.',
    transport: 'The call needs exactly one transport: `http` or `stdio`.',
  },
  check: (given, checker) => {
    const transport = get(given, 'transport');
    const [http, stdio] = [get(transport, 'http'), get(transport, 'stdio')];
    if (stdio !== undefined && !checker.features.shell) checker.refuse('stdio', ['transport', 'stdio']);
    if ((http === undefined) === (stdio === undefined)) checker.refuse('transport', ['transport']);
    checkResource(http, ['transport', 'http'], checker);
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
  const transport = get(given, 'transport');
  const version = getText(given, 'protocolVersion');
  const timeout = get(given, 'timeout');
  return {
    kind: 'mcp',
    ...(await serverOf(step, get(transport, 'http'), get(transport, 'stdio'))),
    method: getText(given, 'method') ?? '',
    parameters: await evaluateValue(step, get(given, 'parameters') ?? {}, step.frame.input),
    ...(version === undefined ? {} : { protocolVersion: version }),
    ...(timeout === undefined ? {} : { timeoutMs: await evaluateDuration(step, timeout, '`timeout`') }),
    client: {
      name: getText(get(given, 'client'), 'name') ?? 'trapline',
      version: getText(get(given, 'client'), 'version') ?? '1',
    },
  };
}

async function serverOf(
  step: Step,
  http: JsonValue | undefined,
  stdio: JsonValue | undefined,
): Promise<Pick<McpTask, 'server' | 'program' | 'headers'>> {
  if (http !== undefined)
    return {
      server: await resourceOf(step, http),
      headers: texts(await evaluateObject(step, get(http, 'headers'), '`headers`'), step.path),
    };
  const command = await evaluateValue(step, get(stdio, 'command') ?? null, step.frame.input);
  const given = await evaluateValue(step, get(stdio, 'arguments') ?? [], step.frame.input);
  if (typeof command !== 'string' || command === '')
    throw fault('configuration', 'the call needs `transport.http`, or `transport.stdio` with a `command`', step.path);
  if (!isList(given) || !given.every((each) => typeof each === 'string'))
    throw fault('configuration', '`arguments` of `transport.stdio` must be a list of strings', step.path);
  const environment = texts(await evaluateObject(step, get(stdio, 'environment'), '`environment`'), step.path);
  return { program: { command, arguments: given as readonly string[], environment }, headers: {} };
}
