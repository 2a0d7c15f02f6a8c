import type { z } from 'zod';
import type { JsonValue } from '#api/executions/json-value.ts';

/** Something an agent may do: JSON in, JSON out. The same for scripts and models. */
export interface Tool {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly arguments: z.ZodType;
  /** JSON Schema that the model is given instead of that of `arguments`. */
  readonly argumentSchema?: object | undefined;
  /** Its effect is in the memory of the run: a run that is continued calls it again instead of taking the recorded answer. */
  readonly inMemory?: boolean | undefined;
  /** The arguments with defaults filled in. Throws `ToolFailure` for those that do not fit. */
  check(given: JsonValue): JsonValue;
  /**
   * Rejects with `ToolFailure` for an error that the agent receives; any other failure is ours and ends the run. `position`: 0 for the first call of the
   * tool in the run, 1 for the second; calls that the journal answers or the permissions deny count. The same in every attempt of the run.
   */
  call(given: JsonValue, signal: AbortSignal, position?: number): Promise<JsonValue>;
}

/** A call of a tool that did not succeed. The message is for the agent and holds no secret. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** A tool of checked arguments. */
export function defineTool<Arguments>(tool: {
  readonly name: string;
  readonly description: string;
  readonly arguments: z.ZodType<Arguments>;
  readonly inMemory?: boolean;
  readonly run: (given: Arguments, signal: AbortSignal, position: number) => Promise<JsonValue>;
}): Tool {
  const parse = (given: JsonValue): Arguments => {
    const checked = tool.arguments.safeParse(given ?? {});
    if (checked.success) return checked.data;
    const [first] = checked.error.issues;
    throw new ToolFailure(`${first?.path.join('.') || 'arguments'}: ${first?.message ?? 'not as expected'}`);
  };
  return {
    name: tool.name,
    description: tool.description,
    arguments: tool.arguments,
    inMemory: tool.inMemory,
    check: (given) => JSON.parse(JSON.stringify(parse(given))) as JsonValue,
    call: async (given, signal, position = 0) => tool.run(parse(given), signal, position),
  };
}
