import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { traceHeaders } from '#schemas/tracing/trace-context.ts';
import { inSpan, NO_TRACING, type Span, type TraceAttributes, type Tracing } from '#schemas/tracing/tracing.ts';

/** How the calls of a model are traced. */
export interface ModelTracing {
  readonly tracing: Tracing;
  /** Prompts and answers become attributes. Off by default: they can hold personal data. */
  readonly recordPrompts: boolean;
}

export const NO_MODEL_TRACING: ModelTracing = { tracing: NO_TRACING, recordPrompts: false };

/** A span for each call of a model, by the semantic conventions for generative AI. The endpoint gets its context. */
export function traceModelCalls(
  call: typeof fetch,
  { tracing, recordPrompts }: ModelTracing,
  {
    parent,
    model,
    redact,
  }: {
    readonly parent: TraceContext | undefined;
    readonly model: string;
    /** Returns a text without values of secrets. */
    readonly redact: (text: string) => string;
  },
): typeof fetch {
  if (!tracing.isOn || parent === undefined) return call;
  return (input, init = {}) => {
    const address = URL.parse(input instanceof Request ? input.url : String(input));
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model,
      'server.address': address?.hostname,
    };
    return inSpan(tracing, `chat ${model}`, { kind: 'client', parent, attributes }, async (span) => {
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(traceHeaders(span.context))) headers.set(name, value);
      if (recordPrompts && span.isRecorded) span.set(promptOf(init.body, redact));
      const response = await call(input, { ...init, headers });
      if (!response.ok) span.fail(String(response.status));
      else if (span.isRecorded) await setAnswer(span, response, recordPrompts ? redact : undefined);
      return response;
    });
  };
}

/** Reads a copy of the response: the original is left to the caller. `redact` undefined: without the text of the answer. */
async function setAnswer(
  span: Span,
  response: Response,
  redact: ((text: string) => string) | undefined,
): Promise<void> {
  const answer = objectOf(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  );
  const usage = objectOf(answer.usage);
  const choices = Array.isArray(answer.choices) ? answer.choices.map(objectOf) : [];
  span.set({
    'gen_ai.response.id': textOf(answer.id),
    'gen_ai.response.model': textOf(answer.model),
    'gen_ai.response.finish_reasons': choices.flatMap(({ finish_reason }) => textOf(finish_reason) ?? []),
    'gen_ai.usage.input_tokens': countOf(usage.prompt_tokens),
    'gen_ai.usage.output_tokens': countOf(usage.completion_tokens),
    ...(redact === undefined
      ? {}
      : { 'gen_ai.output.messages': redact(JSON.stringify(choices.map(({ message }) => message))) }),
  });
}

function promptOf(body: unknown, redact: (text: string) => string): TraceAttributes {
  if (typeof body !== 'string') return {};
  const { messages } = objectOf(JSON.parse(body));
  return { 'gen_ai.input.messages': redact(JSON.stringify(messages)) };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
