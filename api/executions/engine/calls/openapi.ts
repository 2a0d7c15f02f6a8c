import type { ExternalTask } from '../contract/external-task.ts';
import { authenticationOf } from '../interpreter/authentication.ts';
import { fault } from '../interpreter/faults.ts';
import type { Step } from '../interpreter/frames.ts';
import { outputFormOf } from '../interpreter/http-task.ts';
import { get, getText } from '../interpreter/json.ts';
import { checkResource, resourceOf } from '../interpreter/resource.ts';
import { evaluateObject, evaluateValue } from '../interpreter/values.ts';
import type { CallProtocol } from './call-protocol.ts';

export const openapi: CallProtocol = {
  note: '`openapi`: an operation of an OpenAPI document (2.0, 3.0, 3.1), fetched when the task runs.',
  prepare: openApiTask,
  check: (given, checker) => {
    checkResource(get(given, 'document'), ['document'], checker);
    checker.authentication(get(given, 'authentication'), ['authentication']);
  },
  detail: (given) => getText(given, 'operationId'),
};

async function openApiTask(step: Step): Promise<ExternalTask> {
  const given = get(step.task, 'with');
  const operationId = await evaluateValue(step, get(given, 'operationId') ?? null, step.frame.input);
  if (typeof operationId !== 'string' || operationId === '')
    throw fault('configuration', 'the call needs an `operationId`', step.path);
  const authentication = await authenticationOf(step, get(given, 'authentication'));
  return {
    kind: 'openapi',
    document: await resourceOf(step, get(given, 'document')),
    operationId,
    parameters: await evaluateObject(step, get(given, 'parameters'), '`parameters`'),
    ...(authentication === undefined ? {} : { authentication }),
    output: outputFormOf(given, step.path),
    redirect: get(given, 'redirect') === true,
  };
}
