import type { JsonValue } from '../../json-value.ts';
import type { Step } from './frames.ts';
import { get } from './json.ts';
import { checkSchema } from './schemas.ts';
import { sizeOf } from './value-budget.ts';
import { type EvaluationContext, transform } from './values.ts';

/** Applies `export`: its result becomes `$context`. */
export async function exportContext(
  step: Step & EvaluationContext,
  given: JsonValue | undefined,
  output: JsonValue,
): Promise<void> {
  const filter = get(given, 'as');
  if (filter === undefined) return;
  const exported = await transform(step, filter, output, { output });
  sizeOf(step.run, exported, 'the context', step.path);
  await checkSchema(step.run, get(given, 'schema'), exported, 'the context', step.path);
  step.run.exported = exported;
}
