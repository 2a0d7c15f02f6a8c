import type { JsonValue } from '../../json-value.ts';
import type { GrpcTask } from '../contract/call-task.ts';
import type { ExternalTask } from '../contract/external-task.ts';
import { authenticationOf } from '../interpreter/authentication.ts';
import { fault } from '../interpreter/faults.ts';
import type { Step } from '../interpreter/frames.ts';
import { get, getText, isList, isObject } from '../interpreter/json.ts';
import { checkResource, resourceOf } from '../interpreter/resource.ts';
import { evaluateValue } from '../interpreter/values.ts';
import type { CallProtocol } from './call-protocol.ts';

export const grpc: CallProtocol = {
  note: '`grpc`: a method of a service that a proto file describes; a method that takes a stream takes a list as arguments, and of a stream of answers the output is a list. TLS on the ports 443 (the default) and 8443, and with a client certificate.',
  refusals: { digest: 'gRPC has no digest authentication.' },
  check: (given, checker) => {
    const authentication = get(get(given, 'service'), 'authentication');
    checkResource(get(given, 'proto'), ['proto'], checker);
    checker.authentication(authentication, ['service', 'authentication']);
    if (get(authentication, 'digest') !== undefined) checker.refuse('digest', ['service', 'authentication', 'digest']);
  },
  prepare: grpcTask,
  detail: (given) => [getText(get(given, 'service'), 'name'), getText(given, 'method')].filter(Boolean).join('/'),
};

async function grpcTask(step: Step): Promise<ExternalTask> {
  const given = get(step.task, 'with');
  const service = get(given, 'service');
  const text = async (of: typeof service, name: string): Promise<string> => {
    const value = await evaluateValue(step, get(of, name) ?? null, step.frame.input);
    if (typeof value === 'string' && value !== '') return value;
    throw fault('configuration', `\`${name}\` of the call must be a string`, step.path);
  };
  const port = await evaluateValue(step, get(service, 'port') ?? null, step.frame.input);
  const authentication = await authenticationOf(step, get(service, 'authentication'));
  return {
    kind: 'grpc',
    proto: await resourceOf(step, get(given, 'proto')),
    service: await text(service, 'name'),
    host: await text(service, 'host'),
    ...(typeof port === 'number' ? { port } : {}),
    ...(authentication === undefined ? {} : { authentication }),
    method: await text(given, 'method'),
    arguments: await argumentsOf(step, get(given, 'arguments')),
  };
}

async function argumentsOf(step: Step, given: JsonValue | undefined): Promise<GrpcTask['arguments']> {
  if (given === undefined) return {};
  const value = await evaluateValue(step, given, step.frame.input);
  if (isList(value) || isObject(value)) return value;
  throw fault('configuration', '`arguments` must be an object, or a list for a stream', step.path);
}
