import sdk from '@serverlessworkflow/sdk';
import { isRecord, type JsonRecord, tasksOf } from './walk.ts';

/** The SDK takes time that grows with the square of the tasks: 0.2 s for these. */
export const MAX_DRAWN_TASKS = 1_000;
/** The SDK makes ids and labels of names: everything that could end one of them, or begin markup, goes. */
const NOT_IN_NAMES = /[^\p{L}\p{N}_.-]/gu;

/** The definition as a flow chart in Mermaid's language. Names of tasks are reduced to what can stand in a label. Throws for too many tasks. */
export function drawDefinition(definition: JsonRecord): string {
  if (tasksOf(definition).length > MAX_DRAWN_TASKS)
    throw new RangeError(`definitions of up to ${MAX_DRAWN_TASKS} tasks are drawn`);
  return sdk.convertToMermaidCode(withPlainNames(definition) as never);
}

/** Renames tasks in lists of tasks, and what leads to them. */
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
