import { type LanguageModel, wrapLanguageModel } from 'ai';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Journal } from './journal.ts';

type Middleware = Extract<Parameters<typeof wrapLanguageModel>[0]['middleware'], { specificationVersion?: unknown }>;
type Generated = Awaited<ReturnType<NonNullable<Middleware['wrapGenerate']>>>;

/** Wraps a model with recorded answers from the journal. A resumed run does not repeat, and pay for, these calls. */
export function recordedModel(model: Exclude<LanguageModel, string>, journal: Journal): LanguageModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: ({ doGenerate }) =>
        journal.inOrder(async () => {
          const entry = journal.next(['model']);
          if (entry.recorded !== undefined) return entry.recorded as unknown as Generated;
          const answer = await doGenerate();
          // Drops the request and the response, which are large and unused.
          const { request: _, response: __, ...kept } = answer;
          await entry.record(JSON.parse(JSON.stringify(kept)) as JsonValue);
          return answer;
        }),
    },
  });
}
