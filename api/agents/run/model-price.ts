import type { AgentConfig } from '../agent-config.ts';

/** Credits per million tokens. The operator defines the value of a credit, for example one US dollar. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Price of input tokens from the cache of the endpoint. If undefined, the normal input price. */
  readonly cachedInput?: number | undefined;
}

/** Prices by model name. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/**
 * Returns the price of a model; undefined if unknown. A configuration that sets one of its prices must set all. The
 * price table of the operator applies only to the endpoint of the operator, because other endpoints can charge
 * differently for a model of the same name.
 */
export function priceOf(
  { model = {} }: Pick<AgentConfig, 'model'>,
  name: string,
  prices: ModelPrices | undefined,
): Partial<ModelPrice> | undefined {
  const { creditsPerMillionInput: input, creditsPerMillionOutput: output, baseUrl } = model;
  const { creditsPerMillionCachedInput: cachedInput } = model;
  if (input !== undefined || output !== undefined || cachedInput !== undefined)
    return {
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output }),
      ...(cachedInput === undefined ? {} : { cachedInput }),
    };
  if (baseUrl !== undefined || prices === undefined || !Object.hasOwn(prices, name)) return undefined;
  return prices[name];
}
