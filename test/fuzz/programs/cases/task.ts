import type { JsonValue } from '#api/executions/json-value.ts';

/** An entry of a task list: a task by its name. */
export type Task = { readonly [name: string]: JsonValue };

export function definition(
  tasks: readonly Task[],
  more: { readonly [name: string]: JsonValue } = {},
): { readonly [name: string]: JsonValue } {
  return {
    document: { dsl: '1.0.0', namespace: 'fuzz', name: 'fuzz', version: '1.0.0' },
    do: tasks as JsonValue,
    ...more,
  };
}
