import type { JsonValue } from '../../json-value.ts';

/**
 * Built-in functions of the detection service. A definition calls them by name, like functions of its own
 * `use.functions`: `call: trapline.detection.get` with the arguments in `with`. They have retries, timeouts and trace
 * steps like other calls, but use no network. The address `trapline:<name>` is resolved in `tasks/functions/`. They run
 * with the current rights of the execution's owner.
 */
export const BUILT_IN_FUNCTION_NAMES = [
  /** `{id}` → the detection */
  'trapline.detection.get',
  /** Filters of `GET /api/detections` and `limit` → `{detections, more}`, newest first */
  'trapline.detection.list',
  /** `{id, status?, verdict?, assignee?, note?}` → the updated detection */
  'trapline.detection.update',
  /** Filters of `GET /api/events` and `limit` → `{events, more}`, newest first */
  'trapline.event.list',
  /** `{scraper, query}` → the response of the scraper */
  'trapline.scraper',
] as const;
export type BuiltInFunctionName = (typeof BUILT_IN_FUNCTION_NAMES)[number];

const tasks = new Map<string, Readonly<Record<string, JsonValue>>>(
  BUILT_IN_FUNCTION_NAMES.map((name) => [
    name,
    { call: 'http', with: { method: 'POST', endpoint: `trapline:${name}`, body: `\${ . }` } },
  ]),
);

/**
 * Returns the built-in function as a task of the workflow language. It applies if the definition has no function of
 * this name.
 */
export function builtInFunction(name: string): Readonly<Record<string, JsonValue>> | undefined {
  return tasks.get(name);
}
