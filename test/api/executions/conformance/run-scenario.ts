import { expect } from 'vitest';
import { parse } from 'yaml';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import type { RunTask } from '#api/executions/engine/contract/task-context.ts';
import { TaskFailure } from '#api/executions/engine/contract/task-failure.ts';
import { checkSupported } from '#api/executions/engine/release/check-supported.ts';
import type { Evaluate } from '#api/executions/expressions/evaluate.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { validateShape } from '#api/workflows/definitions/validate-shape.ts';
import { type Played, play } from '../engine/play.ts';
import { taskContext } from '../tasks/task-context.ts';
import type { Scenario } from './feature.ts';

export interface Runtime {
  readonly evaluate: Evaluate;
  readonly runTask: RunTask;
}

type Check = (played: Played, block: JsonValue, ...parts: string[]) => void;

/** The assertions that the kit documents. */
const CHECKS: readonly (readonly [RegExp, Check])[] = [
  [
    /^the workflow should complete$/,
    ({ ended, error }) => expect({ ended, error }).toEqual({ ended: true, error: undefined }),
  ],
  [/^the workflow should complete with output:$/, (played, block) => expect(played.output).toEqual(block)],
  [/^the workflow should fault$/, ({ error }) => expect(error).toBeDefined()],
  [/^the workflow should fault with error:$/, ({ error }, block) => expect(error).toEqual(block)],
  [
    /^the workflow output should have properties (.+)$/,
    ({ output }, _block, list = '') => {
      for (const path of list.split(',')) expect(output).toHaveProperty(path.trim().replaceAll("'", ''));
    },
  ],
  [
    /^the workflow output should have a '(.+)' property with value:$/,
    ({ output }, block, path = '') => expect(output).toHaveProperty(path, block),
  ],
  [
    /^the workflow output should have a '(.+)' property containing (\d+) items$/,
    ({ output }, _block, path = '', count = '') =>
      expect(output).toHaveProperty(path, expect.objectContaining({ length: Number(count) })),
  ],
  [/^(\w+) should run first$/, (played, _block, name) => expect(order(played)[0]).toBe(name)],
  [/^(\w+) should run last$/, (played, _block, name) => expect(order(played).at(-1)).toBe(name)],
  [
    /^(\w+) should run after (\w+)$/,
    (played, _block, later = '', earlier = '') => {
      expect(order(played)).toContain(earlier);
      expect(order(played).indexOf(later)).toBeGreaterThan(order(played).indexOf(earlier));
    },
  ],
];

/** Returns the definition of a scenario. */
export function definitionOf({ steps }: Scenario): JsonValue {
  const block = steps.find(({ text }) => text === 'a workflow with definition:')?.block;
  return parse(block ?? '') as JsonValue;
}

/**
 * Runs a scenario: release checks first, then the engine with its real tasks. `definition` replaces the definition of
 * the scenario where it contradicts the DSL.
 */
export async function runScenario(scenario: Scenario, definition: JsonValue, runtime: Runtime): Promise<void> {
  expect(validateShape(definition), 'matches the schema of the language').toEqual([]);
  expect(checkSupported(definition as WorkflowDefinition), 'is supported').toEqual([]);
  let input: JsonValue = {};
  let played: Played | undefined;
  for (const { text, block } of scenario.steps) {
    const value = block === undefined ? null : (parse(block) as JsonValue);
    if (text === 'a workflow with definition:') continue;
    if (text === 'the workflow input is:') input = value;
    else if (text === 'the workflow is executed')
      played = await execute(definition as WorkflowDefinition, input, runtime);
    else check(text, played, value);
  }
}

function check(text: string, played: Played | undefined, block: JsonValue): void {
  if (played === undefined) throw new Error(`before the workflow was executed: ${text}`);
  for (const [pattern, holds] of CHECKS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    holds(played, block, ...found.slice(1));
    return;
  }
  throw new Error(`no such assertion: ${text}`);
}

const order = ({ steps }: Played): readonly string[] =>
  steps.filter(({ status }) => status === 'running').map(({ name }) => name);

function execute(definition: WorkflowDefinition, input: JsonValue, { evaluate, runTask }: Runtime): Promise<Played> {
  return play({
    definition,
    evaluate,
    context: { input },
    async outside(task, { step }) {
      if (task.kind === 'workflow' || task.kind === 'worker')
        throw new Error('the kit runs no other workflows and workers');
      try {
        return { output: await runTask(task, { ...taskContext({ step }), attempt: 1, requestId: null }) };
      } catch (error) {
        if (error instanceof TaskFailure) return { error: error.error };
        throw error;
      }
    },
  });
}
