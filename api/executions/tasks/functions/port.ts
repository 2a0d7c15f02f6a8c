import type { z } from 'zod';
import type { Scope } from '#schemas/api/roles.ts';
import type { BuiltInFunctionName } from '../../engine/release/built-in-functions.ts';
import type { JsonValue } from '../../json-value.ts';
import type { TaskContext } from '../port.ts';

/** Calls a function of the detection service by name. Rejects as `RunTask` does. */
export type CallFunction = (name: string, input: JsonValue, context: TaskContext) => Promise<JsonValue>;

/** A built-in function. Each has its own file. */
export interface BuiltInFunction<Input extends z.ZodType = z.ZodType> {
  readonly name: BuiltInFunctionName;
  /** Scope that the role of the owner must include. */
  readonly scope: Scope;
  readonly input: Input;
  run(input: z.output<Input>, context: TaskContext): Promise<JsonValue>;
}

/** Infers the types of a function. */
export function defineFunction<Input extends z.ZodType>(definition: BuiltInFunction<Input>): BuiltInFunction {
  return definition as BuiltInFunction;
}
