import { each, nest } from './attack.ts';

export const HEAD = 'document: { dsl: 1.0.0, namespace: fuzz, name: fuzz, version: 1.0.0 }\n';

/**
 * Returns a definition with these tasks (`{ name: task }, …`) in one line. `more` holds further keys of the definition,
 * each followed by a line break.
 */
export function flow(tasks: string, more = ''): string {
  return `${HEAD}${more}do: [ ${tasks} ]\n`;
}

/** Returns `count` tasks with distinct names. */
export function tasks(count: number, task: (at: number) => string): string {
  return each(count, (at) => `{ t${at}: ${task(at)} }`);
}

/** Nests a task in `levels` layers of tasks, each made by `wrap`. */
export function nestedTasks(levels: number, wrap: (inner: string) => string): string {
  return nest(levels, '{ leaf: { set: { leaf: 1 } } }', (inner, level) => `{ l${level}: ${wrap(inner)} }`);
}

export const within = (after: string) => `timeout: { after: ${after} }\n`;
export const RAISE = '{ raise: { error: { type: "https://example.org/x", status: 500 } } }';
