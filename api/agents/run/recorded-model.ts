import { type LanguageModel, wrapLanguageModel } from 'ai';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Journal } from './journal.ts';

type Middleware = Extract<Parameters<typeof wrapLanguageModel>[0]['middleware'], { specificationVersion?: unknown }>;
type Generated = Awaited<ReturnType<NonNullable<Middleware['wrapGenerate']>>>;

/** The model with its answers in the journal: a run that is continued does not ask, and pay, for them again. */
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
          // Without the request and the response: they are large, and nothing reads them.
          const { request: _, response: __, ...kept } = answer;
          await entry.record(JSON.parse(JSON.stringify(kept)) as JsonValue);
          return answer;
        }),
    },
  });
}
