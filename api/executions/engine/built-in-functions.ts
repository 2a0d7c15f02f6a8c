import type { JsonValue } from '../json-value.ts';

/**
 * Functions of the detection service that any definition may call by name, as if they stood in its own `use.functions`: `call: trapline.detection.get` with the
 * arguments in `with`. They are calls like others, with retries, time-outs and a place in the trace, but go over no network: the address
 * `trapline:<name>` leads to `tasks/functions/`. They run on behalf of the execution's owner, with the owner's rights at that moment.
 */
export const BUILT_IN_FUNCTION_NAMES = [
  /** `{id}` → the detection. */
  'trapline.detection.get',
  /** Filters of `GET /api/detections` and `limit` → `{detections, more}`, newest first. */
  'trapline.detection.list',
  /** `{id, status?, verdict?, assignee?, note?}` → the detection after it. */
  'trapline.detection.update',
  /** Filters of `GET /api/events` and `limit` → `{events, more}`, newest first. */
  'trapline.event.list',
  /** `{scraper, query}` → what the scraper answers. */
  'trapline.scraper',
] as const;
export type BuiltInFunctionName = (typeof BUILT_IN_FUNCTION_NAMES)[number];

const tasks = new Map<string, Readonly<Record<string, JsonValue>>>(
  BUILT_IN_FUNCTION_NAMES.map((name) => [
    name,
    { call: 'http', with: { method: 'POST', endpoint: `trapline:${name}`, body: `\${ . }` } },
  ]),
);

/** The function as a task of the workflow language: where a definition has no function of a name, this is called. */
export function builtInFunction(name: string): Readonly<Record<string, JsonValue>> | undefined {
  return tasks.get(name);
}
