import type { z } from 'zod';
import type { JsonValue } from '#api/executions/json-value.ts';

/** A function of an agent, with JSON input and output. Scripts and models use the same tools. */
export interface Tool {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly arguments: z.ZodType;
  /** JSON Schema for the model that replaces the one of `arguments`. */
  readonly argumentSchema?: object | undefined;
  /**
   * True if its effect is only in the memory of the run. A resumed run calls it again instead of using the recorded
   * result.
   */
  readonly inMemory?: boolean | undefined;
  /** Returns the arguments with defaults applied. Throws `ToolFailure` if they are invalid. */
  check(given: JsonValue): JsonValue;
  /**
   * Runs the tool. Rejects with `ToolFailure` for an error that the agent receives; any other rejection is internal and
   * ends the run. `position`: index of the call among those of this tool in the run, including recorded and denied
   * calls. It is the same in every attempt.
   */
  call(given: JsonValue, signal: AbortSignal, position?: number): Promise<JsonValue>;
}

/** A failed call of a tool. The message is for the agent and contains no secrets. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** Defines a tool with typed arguments. */
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
