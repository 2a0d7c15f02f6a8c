import { kindOf, taskKind } from '#api/executions/engine/kind-registry.ts';
import type { JsonValue } from '#api/executions/json-value.ts';

export type JsonRecord = { readonly [name: string]: JsonValue };
export type Path = readonly (string | number)[];

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Calls `visit` for every value of a document, parents before children. Recursion is safe because `readYaml` limits the
 * depth.
 */
export function walk(value: JsonValue, visit: (value: JsonValue, path: Path) => void, path: Path = []): void {
  visit(value, path);
  if (value === null || typeof value !== 'object') return;
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, item] of entries) walk(item as JsonValue, visit, [...path, key]);
}

/** Yields the tasks of a definition at any depth, with their paths. Skips values that are not task lists. */
export function tasksOf(
  definition: JsonRecord,
): { readonly path: Path; readonly name: string; readonly task: JsonRecord }[] {
  const found: { path: Path; name: string; task: JsonRecord }[] = [];
  const list = (tasks: JsonValue | undefined, path: Path): void => {
    if (!Array.isArray(tasks)) return;
    tasks.forEach((item, index) => {
      if (!isRecord(item)) return;
      for (const [name, task] of Object.entries(item)) {
        if (!isRecord(task)) continue;
        const at = [...path, index, name];
        found.push({ path: at, name, task });
        inner(task, at);
      }
    });
  };
  const inner = (task: JsonRecord, path: Path): void => {
    const key = kindOf(task);
    const lists = key === undefined ? [] : (taskKind(key).lists?.(task) ?? []);
    for (const { keys, tasks } of lists) list(tasks, [...path, ...keys]);
  };
  list(definition.do, ['do']);
  const functions = isRecord(definition.use) ? definition.use.functions : undefined;
  if (isRecord(functions))
    for (const [name, task] of Object.entries(functions))
      if (isRecord(task)) {
        found.push({ path: ['use', 'functions', name], name, task });
        inner(task, ['use', 'functions', name]);
      }
  const extensions = isRecord(definition.use) ? definition.use.extensions : undefined;
  for (const [index, item] of Array.isArray(extensions) ? extensions.entries() : [])
    for (const [name, extension] of isRecord(item) ? Object.entries(item) : [])
      for (const part of ['before', 'after'] as const)
        if (isRecord(extension)) list(extension[part], ['use', 'extensions', index, name, part]);
  return found;
}
