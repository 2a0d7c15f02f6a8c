import type { JsonValue } from '#api/executions/json-value.ts';
import type { Case } from './cases/case.ts';
import { definition, type Task } from './cases/task.ts';

/**
 * Combines the cases into one definition with one `fork` branch for each case, so that a failing case does not affect
 * the others. The last branch is a control with a constant result.
 */
export function batchDefinition(cases: readonly Case[], marker: string): JsonValue {
  const branches = cases.map(
    (one, at): Task => ({
      [`c${at}`]: {
        // Reads the input by index, so that no variable name interferes with the case.
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

/** Expected result of the control branch. */
export const controlResult = (marker: string): JsonValue => ({ marker, n: 42 });

export function batchInput(cases: readonly Case[], marker: string): JsonValue {
  return { marker, inputs: cases.map(({ input }) => input) };
}

function taskOf({ kind, text, number }: Case, marker: string): JsonValue {
  if (kind === 'script')
    return { run: { script: { language: 'js', code: text, arguments: { marker, input: '${ . }' } } } };
  if (kind === 'schema') return { set: { ok: true }, input: { schema: { document: JSON.parse(text) as JsonValue } } };
  // Uses the expression in each position that accepts one: value, part of a text, condition, list, filter.
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
