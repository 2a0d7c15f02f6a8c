import type { JsonValue } from '#api/executions/json-value.ts';
import type { Case } from './cases/case.ts';
import { definition, type Task } from './cases/task.ts';

/** The cases as one definition: one branch of a `fork` each, so that one that fails does not affect the others, and one that is always the same. */
export function batchDefinition(cases: readonly Case[], marker: string): JsonValue {
  const branches = cases.map(
    (one, at): Task => ({
      [`c${at}`]: {
        // A list, as the name of a variable must not come between.
        input: { from: `\${ .inputs[${at}] }` },
        try: [{ v: taskOf(one, marker) }],
        catch: {
          as: 'problem',
          do: [
            {
              x: {
                set: {
                  failed: '${ $problem.type }',
                  detail: '${ $problem.detail // $problem.title // "" | tostring | .[0:400] }',
                },
              },
            },
          ],
        },
        output: { as: '${ if type == "object" and has("failed") then . else { value: (tojson | .[0:300]) } end }' },
      },
    }),
  );
  const control: Task = { control: { set: { marker: '${ .marker }', n: '${ [range(7)] | add * 2 }' } } };
  return definition([{ all: { fork: { branches: [...branches, control] } } }]);
}

/** What the branch that is always the same must give. */
export const controlResult = (marker: string): JsonValue => ({ marker, n: 42 });

export function batchInput(cases: readonly Case[], marker: string): JsonValue {
  return { marker, inputs: cases.map(({ input }) => input) };
}

function taskOf({ kind, text, number }: Case, marker: string): JsonValue {
  if (kind === 'script')
    return { run: { script: { language: 'js', code: text, arguments: { marker, input: '${ . }' } } } };
  if (kind === 'schema') return { set: { ok: true }, input: { schema: { document: JSON.parse(text) as JsonValue } } };
  // An expression stands where a value, part of a text, a condition, a list or a filter is expected.
  switch (number % 8) {
    case 0:
      return { set: { v: `text \${ ${text} } text` } };
    case 1:
      return { if: `\${ ${text} }`, set: { v: 1 } };
    case 2:
      return { set: { v: 1 }, output: { as: `\${ ${text} }` } };
    case 3:
      return {
        for: { each: 'x', in: `\${ ${text} }` },
        while: '$index < 3',
        do: [{ s: { set: { v: 1 } } }],
        timeout: { after: { seconds: 2 } },
      };
    default:
      return { set: { v: `\${ ${text} }` } };
  }
}
