import { readdirSync } from 'node:fs';
import type { JsonObject } from './interpreter/json.ts';
import type { TaskKind } from './task-kind.ts';

const FOLDER = new URL('./kinds/', import.meta.url);

/**
 * All task kinds of `kinds/`, by the key that identifies them in a task. Adding a file adds a kind; no other code names
 * it.
 */
export const TASK_KINDS: ReadonlyMap<string, TaskKind> = await loadKinds();

/** Returns the key of the kind of a task, or undefined if the kind is unknown. */
export function kindOf(task: JsonObject): string | undefined {
  let kind = known.get(task);
  if (kind === undefined) {
    kind = findKind(task);
    if (kind !== undefined) known.set(task, kind);
  }
  return kind;
}

/** Cached by identity, because tasks of definitions never change. */
const known = new WeakMap<JsonObject, string>();

function findKind(task: JsonObject): string | undefined {
  for (const [key, { notBeside = [] }] of TASK_KINDS)
    if (Object.hasOwn(task, key) && !notBeside.some((other) => Object.hasOwn(task, other))) return key;
  return undefined;
}

/** Returns the kind with this key. Throws a `RangeError` if the key is unknown. */
export function taskKind(key: string): TaskKind {
  const kind = TASK_KINDS.get(key);
  if (kind === undefined) throw new RangeError(`unknown kind of task ${key}`);
  return kind;
}

/**
 * Returns the kind that a file exports. Kinds are loaded by file name and not imported, so this check at start replaces
 * the check of the compiler.
 */
export function checkedKind(file: string, kind: TaskKind | undefined): readonly [key: string, kind: TaskKind] {
  const where = `api/executions/engine/kinds/${file}`;
  if (kind === undefined) throw new Error(`${where} must export \`kind\`, made by defineTaskKind()`);
  if (!/^[a-z][A-Za-z]*\.ts$/.test(file)) throw new Error(`${where} must be named after the key of the task`);
  return [file.slice(0, -'.ts'.length), kind];
}

async function loadKinds(): Promise<ReadonlyMap<string, TaskKind>> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  const kinds = await Promise.all(
    files.sort().map(async (file) => {
      const module = (await import(new URL(file, FOLDER).href)) as { readonly kind?: TaskKind };
      return checkedKind(file, module.kind);
    }),
  );
  return new Map(kinds);
}
