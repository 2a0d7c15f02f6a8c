import type { LanguageModelUsage } from 'ai';
import type { RunLimits } from '../agent-config.ts';
import type { ModelPrice } from './model-price.ts';

/** Usage of one model call, as reported by the endpoint. */
export type ReportedUse = Pick<LanguageModelUsage, 'inputTokens' | 'outputTokens'> & {
  readonly inputTokenDetails?: { readonly cacheReadTokens?: number | undefined } | undefined;
};

/** Tokens and credits of the model calls. */
export interface ModelUse {
  add(usage: ReportedUse): void;
  /** Returns the exceeded limit as a message. */
  exceeded(): string | undefined;
  /** Omits `credits` if the price or a number of tokens is unknown. */
  cost(): Readonly<Record<string, number>>;
}

/** Counts the usage of model calls. */
export function createModelUse(
  price: Partial<ModelPrice> | undefined,
  limits: Pick<RunLimits, 'tokens' | 'credits'>,
): ModelUse {
  let inputTokens = 0;
  let cachedInputTokens = 0;
  let outputTokens = 0;
  let steps = 0;
  let unreportedSteps = 0;

  function credits(): { readonly known: number; readonly complete: boolean } {
    const parts = [
      [inputTokens - cachedInputTokens, price?.input],
      [cachedInputTokens, price?.cachedInput ?? price?.input],
      [outputTokens, price?.output],
    ] as const;
    return {
      known: parts.reduce((sum, [tokens, each = 0]) => sum + tokens * each, 0) / 1e6,
      complete: unreportedSteps === 0 && parts.every(([tokens, each]) => tokens === 0 || each !== undefined),
    };
  }

  return {
    add({ inputTokens: input, outputTokens: output, inputTokenDetails }) {
      steps++;
      if (input === undefined || output === undefined) unreportedSteps++;
      inputTokens += input ?? 0;
      outputTokens += output ?? 0;
      cachedInputTokens += Math.min(inputTokenDetails?.cacheReadTokens ?? 0, input ?? 0);
    },
    exceeded() {
      if (inputTokens + outputTokens > limits.tokens) return `the run used more than ${limits.tokens} tokens`;
      // The known part is a lower bound of the cost.
      if (credits().known > limits.credits) return `the run cost more than ${limits.credits} credits`;
      return undefined;
    },
    cost() {
      const { known, complete } = credits();
      return {
        inputTokens,
        outputTokens,
        totalTokens: inputTokens + outputTokens,
        ...(cachedInputTokens === 0 ? {} : { cachedInputTokens }),
        steps,
        ...(unreportedSteps === 0 ? {} : { unreportedSteps }),
        ...(complete && (price !== undefined || steps === 0) ? { credits: known } : {}),
      };
    },
  };
}
