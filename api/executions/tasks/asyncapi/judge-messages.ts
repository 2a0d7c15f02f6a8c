import type { MessageSubscription } from '../../engine/contract/call-task.ts';
import { standardError } from '../../engine/contract/standard-error.ts';
import { TaskFailure } from '../../engine/contract/task-failure.ts';
import type { EvaluateFor } from '../../expressions/evaluate.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { bareExpression } from '../../expressions/parse-template.ts';
import type { JsonValue } from '../../json-value.ts';
import type { JudgeMessage } from './port.ts';

/** Maximum number of messages per subscription. */
const MAX_MESSAGES = 1_000;

/** Applies the expressions and the maximum amount of a subscription to its messages. */
export interface MessageJudge {
  readonly judge: JudgeMessage;
  /** Throws the error of an expression that failed, which ended the subscription. */
  throwFailure(): void;
}

/** Creates the judge. `holds` evaluates an expression for a message. */
export function createMessageJudge(
  { filter, amount = MAX_MESSAGES, while: goesOn, until }: MessageSubscription,
  holds: (expression: string, message: JsonValue) => Promise<boolean>,
): MessageJudge {
  const most = Math.min(amount, MAX_MESSAGES);
  let taken = 0;
  let failure: { readonly error: unknown } | undefined;

  async function decide(message: JsonValue): Promise<{ take: boolean; more: boolean }> {
    if (filter !== undefined && !(await holds(filter, message))) return { take: false, more: true };
    if (until !== undefined && (await holds(until, message))) return { take: false, more: false };
    taken++;
    return { take: true, more: taken < most && (goesOn === undefined || (await holds(goesOn, message))) };
  }

  return {
    judge: (message) =>
      decide(message as unknown as JsonValue).catch((error: unknown) => {
        failure = { error };
        return { take: false, more: false };
      }),
    throwFailure() {
      if (failure !== undefined) throw failure.error;
    },
  };
}

/**
 * Returns a function that evaluates an expression for a message, with the variables of the subscription and the current
 * time. As in jq, every value except `false` and `null` is true.
 */
export function holdsFor(
  evaluate: EvaluateFor,
  { variables = {} }: MessageSubscription,
  { step, account }: { readonly step: string; readonly account: string },
): (expression: string, message: JsonValue) => Promise<boolean> {
  return async (expression, message) => {
    try {
      const given = { ...variables, __now: Date.now() / 1_000 };
      const value = await evaluate(bareExpression(expression), message, given, account);
      return value !== null && value !== false;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new TaskFailure(standardError('expression', error.message, step));
    }
  };
}
