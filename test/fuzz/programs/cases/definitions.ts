import type { JsonValue } from '#api/executions/json-value.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import { templatesOf } from './attack.ts';
import type { Template } from './case.ts';
import { EVENT_ATTACKS, SLOW_EVENT_ATTACKS } from './definition-events.ts';
import { SLOW_TASK_ATTACKS, TASK_ATTACKS } from './definition-tasks.ts';
import { flow, tasks } from './definition-text.ts';
import { SLOW_YAML_ATTACKS, YAML_ATTACKS } from './definition-yaml.ts';
import { mutateText } from './mutate.ts';
import { definition, type Task } from './task.ts';
import { randomJson, sampleInput } from './values.ts';

/** Templates of workflow definitions: valid ones, valid ones with mutated structure or text, and attacks. */
export const DEFINITIONS: readonly Template[] = [
  {
    name: 'definition/valid',
    make: (random) => ({ text: layout(validDefinition(random), random), input: sampleInput(random) }),
  },
  {
    name: 'definition/mutated-structure',
    make: (random) => ({
      text: layout(mutateJson(validDefinition(random), random), random),
      input: sampleInput(random),
    }),
  },
  {
    name: 'definition/mutated-text',
    make: (random) => ({
      text: mutateText(layout(validDefinition(random), random), random),
      input: sampleInput(random),
    }),
  },
  {
    // Every step receives and returns the whole input.
    name: 'definition/steps-of-large-input',
    slow: true,
    make: () => ({ text: flow(tasks(40, () => '{ set: "${ . }" }')), input: { large: 'x'.repeat(8_000_000) } }),
  },
  ...templatesOf(
    'definition',
    { ...YAML_ATTACKS, ...TASK_ATTACKS, ...EVENT_ATTACKS },
    { slow: false, input: sampleInput },
  ),
  ...templatesOf(
    'definition',
    { ...SLOW_YAML_ATTACKS, ...SLOW_TASK_ATTACKS, ...SLOW_EVENT_ATTACKS },
    { slow: true, input: sampleInput },
  ),
];

/** All kinds of tasks that need nothing outside the service. All of them end quickly. */
const TASKS: readonly ((random: SeededRandom, inner: () => Task[]) => Task)[] = [
  (random) => ({ set: { a: randomJson(random), b: '${ .n }', c: 'text ${ .s } and ${ .n + 1 }' } }),
  () => ({ set: '${ {list: .list, n: (.n // 0)} }' }),
  (_, inner) => ({ do: inner() }),
  (random, inner) => ({
    for: { each: 'x', in: `[range(${random.between(0, 20)})]`, at: 'i' },
    while: '$i < 10',
    do: inner(),
  }),
  (random, inner) => ({ fork: { compete: random.next() < 0.3, branches: inner() } }),
  (_, inner) => ({
    try: inner(),
    catch: { as: 'problem', do: [{ note: { set: { problem: '${ $problem.title }' } } }] },
  }),
  (random) => ({
    try: [
      {
        fails: {
          raise: {
            error: {
              type: 'https://example.org/errors/x',
              status: random.between(400, 599),
              title: 'Fails',
              detail: '${ .s }',
            },
          },
        },
      },
    ],
    catch: {
      errors: { with: { status: 503 } },
      retry: {
        delay: { milliseconds: 1 },
        backoff: { exponential: {} },
        limit: { attempt: { count: random.between(0, 3) } },
      },
    },
  }),
  () =>
    JSON.parse(
      '{ "switch": [{ "large": { "when": ".n > 100", "then": "continue" } }, { "other": { "then": "exit" } }] }',
    ),
  () => ({ wait: { milliseconds: 5 } }),
  (random) => ({
    run: {
      script: {
        language: 'js',
        code: `({ doubled: n * 2, rest: [${random.between(0, 9)}] })`,
        arguments: { n: '${ .n // 1 }' },
      },
    },
  }),
  () => ({
    emit: { event: { with: { type: 'fuzz.nothing', source: 'https://fuzz.example.org/', data: { n: '${ .n }' } } } },
  }),
  () => ({ listen: { to: { one: { with: { type: 'fuzz.never' } } } }, timeout: { after: { milliseconds: 20 } } }),
  () => ({ call: 'shared', with: { n: 1 } }),
  (random) => ({
    set: { v: 1 },
    if: random.pick(['.n > 10', '${ .s == "a" }', 'true']),
    input: { from: '${ . }' },
    output: { as: '${ . + {o: 1} }' },
    export: { as: '${ $context + {k: .v} }' },
  }),
  () => ({ set: { v: '${ .n }' }, input: { schema: { format: 'json', document: { type: 'object' } } } }),
];

export function validDefinition(random: SeededRandom): JsonValue {
  const list = (depth: number): Task[] =>
    Array.from({ length: random.between(1, 4) }, (_, at) => ({
      [`t${at}`]: random.pick(TASKS)(random, () =>
        depth <= 0 ? [{ leaf: { set: { leaf: true } } }] : list(depth - 1),
      ),
    }));
  return {
    ...definition(list(2)),
    use: {
      functions: { shared: { set: { got: '${ . }' } } },
      errors: { named: { type: 'https://example.org/errors/y', status: 500 } },
    },
    ...(random.next() < 0.3 ? { timeout: { after: { seconds: 5 } } } : {}),
    ...(random.next() < 0.3
      ? { input: { from: '.', schema: { document: { type: 'object' } } }, output: { as: '${ . }' } }
      : {}),
  };
}

/** JSON is valid YAML. Indented JSON has other tokens than JSON in one line. */
function layout(value: JsonValue, random: SeededRandom): string {
  return random.next() < 0.5 ? JSON.stringify(value) : JSON.stringify(value, null, 2);
}

/** Removes, repeats, replaces, renames or moves one to five values. */
function mutateJson(value: JsonValue, random: SeededRandom): JsonValue {
  const copy = structuredClone(value) as JsonValue;
  for (let left = random.between(1, 5); left > 0; left -= 1) mutatePlace(copy, random);
  return copy;
}

function mutatePlace(root: JsonValue, random: SeededRandom): void {
  const places: [Record<string, JsonValue>, string][] = [];
  const collect = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const name of Object.keys(value)) {
      places.push([value as Record<string, JsonValue>, name]);
      collect((value as Record<string, JsonValue>)[name] ?? null);
    }
  };
  collect(root);
  if (places.length === 0) return;
  const [owner, name] = random.pick(places);
  const [other, otherName] = random.pick(places);
  switch (random.between(0, 4)) {
    case 0:
      delete owner[name];
      return;
    case 1:
      owner[name] = structuredClone(other[otherName] ?? null);
      return;
    case 2:
      owner[name] = randomJson(random);
      return;
    case 3:
      owner[
        random.pick([
          'do',
          'for',
          'try',
          'catch',
          'fork',
          'then',
          'if',
          'set',
          'run',
          'use',
          'with',
          'input',
          'export',
          '__proto__x',
          '${ . }',
        ])
      ] = owner[name] ?? null;
      return;
    default:
      owner[name] = { [random.pick(['do', 'set', 'as', 'when', 'in'])]: owner[name] ?? null };
  }
}
