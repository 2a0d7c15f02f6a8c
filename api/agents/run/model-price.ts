import type { AgentConfig } from '../agent-config.ts';

/** Credits for a million tokens. What a credit is worth is the operator's decision, for example one US dollar. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input tokens that the endpoint read from its cache; undefined: as other input. */
  readonly cachedInput?: number | undefined;
}

/** Prices by name of the model. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/**
 * Returns the price of a model, undefined where it is unknown. A configuration that gives one of its prices gives all: the table of the operator holds for
 * the operator's endpoint alone, because another endpoint can have other prices for a model of the same name.
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
