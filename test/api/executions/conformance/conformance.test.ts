import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '#api/executions/json-value.ts';
import { createTaskRunner } from '#api/executions/tasks/task-runner.ts';
import { createOutboundConnect } from '#api/outbound/outbound-connect.ts';
import { validateShape } from '#api/workflows/definitions/validate-shape.ts';
import { useEvaluate } from '../engine/play.ts';
import { readFeature, type Scenario } from './feature.ts';
import { definitionOf, type Runtime, runScenario } from './run-scenario.ts';
import { startServices } from './services.ts';

const NO_BROKER = () => Promise.reject(new Error('there is no broker here'));

const FOLDER = new URL('../../../fixtures/serverless-workflow-ctk/', import.meta.url);
const FEATURES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.feature'))
  .map((file) => ({ file, scenarios: readFeature(readFileSync(new URL(file, FOLDER), 'utf8')) }));
/** Its document lacks the version that the DSL requires. */
const INCOMPLETE = 'Set Task';

const evaluate = useEvaluate();
let runtime: Runtime;
beforeAll(async () => {
  const unused = () => Promise.reject(new Error('the kit does not use it'));
  const { runTask } = createTaskRunner({
    fetch: await startServices(),
    outbound: createOutboundConnect({ allow: [] }),
    broker: { publish: NO_BROKER, receive: NO_BROKER },
    resolveSecrets: async () => new Map(),
    files: { list: async () => [], find: async () => undefined, read: unused },
    sandbox: { run: unused, close: async () => {}, pending: () => 0 },
    callFunction: unused,
    lines: { add: () => {}, flush: async () => {} },
    evaluate,
  });
  runtime = { evaluate, runTask };
});

it('contains every scenario of the kit', () => {
  expect(FEATURES.flatMap(({ scenarios }) => scenarios)).toHaveLength(21);
});

describe.each(FEATURES)('$file', ({ scenarios }) => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (_name, scenario) =>
    runScenario(scenario, completed(scenario), runtime),
  );
});

it('rejects a document without a version, as the DSL requires', () => {
  const scenario = FEATURES.flatMap(({ scenarios }) => scenarios).find(({ name }) => name === INCOMPLETE);
  if (scenario === undefined) throw new Error('the scenario is missing');
  expect(validateShape(definitionOf(scenario))).toMatchObject([{ message: expect.stringContaining('version') }]);
});

function completed(scenario: Scenario): JsonValue {
  const definition = definitionOf(scenario) as { readonly document: Record<string, JsonValue> };
  if (scenario.name !== INCOMPLETE) return definition;
  return { ...definition, document: { ...definition.document, version: '1.0.0' } };
}
