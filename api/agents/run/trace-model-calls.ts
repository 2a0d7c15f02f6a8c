import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { traceHeaders } from '#schemas/tracing/trace-context.ts';
import { inSpan, NO_TRACING, type Span, type TraceAttributes, type Tracing } from '#schemas/tracing/tracing.ts';

/** Settings for tracing model calls. */
export interface ModelTracing {
  readonly tracing: Tracing;
  /** Records prompts and answers as attributes. Off by default, because they can contain personal data. */
  readonly recordPrompts: boolean;
}

export const NO_MODEL_TRACING: ModelTracing = { tracing: NO_TRACING, recordPrompts: false };

/**
 * Creates a span per model call, by the OpenTelemetry semantic conventions for generative AI. The trace context is sent
 * to the endpoint.
 */
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
    /** Removes the values of secrets from a text. */
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

/**
 * Sets the attributes of the answer. Reads a copy of the response, so the caller can read the original. If `redact` is
 * undefined, omits the text of the answer.
 */
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
