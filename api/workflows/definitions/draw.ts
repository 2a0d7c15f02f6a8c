import sdk from '@serverlessworkflow/sdk';
import { isRecord, type JsonRecord, tasksOf } from './walk.ts';

/**
 * Maximum number of tasks in a chart. The time of the SDK grows with the square of this number: it takes 0.2 s here.
 */
export const MAX_DRAWN_TASKS = 1_000;
/** The SDK uses names as ids and labels. All characters that could end one or begin markup are removed. */
const NOT_IN_NAMES = /[^\p{L}\p{N}_.-]/gu;

/**
 * Returns a Mermaid flow chart of the definition. Names of tasks are reduced to characters allowed in labels. Throws if
 * it has too many tasks.
 */
export function drawDefinition(definition: JsonRecord): string {
  if (tasksOf(definition).length > MAX_DRAWN_TASKS)
    throw new RangeError(`definitions of up to ${MAX_DRAWN_TASKS} tasks are drawn`);
  return sdk.convertToMermaidCode(withPlainNames(definition) as never);
}

/** Renames tasks in task lists, and the references to them. */
function withPlainNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (isRecord(item) ? withPlainKeys(item) : withPlainNames(item)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'then' && typeof item === 'string' ? plain(item) : withPlainNames(item),
    ]),
  );
}

function withPlainKeys(item: JsonRecord): unknown {
  return Object.fromEntries(Object.entries(item).map(([name, inner]) => [plain(name), withPlainNames(inner)]));
}

function plain(name: string): string {
  return name.replace(NOT_IN_NAMES, '_').slice(0, 80);
}
