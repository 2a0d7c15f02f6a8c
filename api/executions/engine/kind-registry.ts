import { readdirSync } from 'node:fs';
import type { JsonObject } from './interpreter/json.ts';
import type { TaskKind } from './task-kind.ts';

const FOLDER = new URL('./kinds/', import.meta.url);

/** Every kind of task of `kinds/` by the key that makes a task one. A kind is its file: nothing else names it. */
export const TASK_KINDS: ReadonlyMap<string, TaskKind> = await loadKinds();

/** The key of the kind of a task, or undefined for a task of no known kind. */
export function kindOf(task: JsonObject): string | undefined {
  let kind = known.get(task);
  if (kind === undefined) {
    kind = findKind(task);
    if (kind !== undefined) known.set(task, kind);
  }
  return kind;
}

/** By identity: tasks of definitions never change. */
const known = new WeakMap<JsonObject, string>();

function findKind(task: JsonObject): string | undefined {
  for (const [key, { notBeside = [] }] of TASK_KINDS)
    if (Object.hasOwn(task, key) && !notBeside.some((other) => Object.hasOwn(task, other))) return key;
  return undefined;
}

/** The kind of this key. Throws a `RangeError` for an unknown key. */
export function taskKind(key: string): TaskKind {
  const kind = TASK_KINDS.get(key);
  if (kind === undefined) throw new RangeError(`unknown kind of task ${key}`);
  return kind;
}

/** Returns the kind of a file. Throws at start what the compiler cannot see: a kind is found by its file, not by an import. */
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
