import { z } from 'zod';
import type { ModelPrices } from '#api/agents/run/model-price.ts';

const credits = z.number().min(0).max(1_000_000);
const pricesSchema = z.record(
  z.string().min(1).max(200),
  z.strictObject({ input: credits, output: credits, cachedInput: credits.optional() }),
);

/** Prices of models, as JSON text. */
export const modelPrices = z
  .string()
  .refine(
    (text) => pricesSchema.safeParse(parseJson(text)).success,
    'must be a JSON object of models, each with the numbers input and output and, if wanted, cachedInput, such as {"NAME":{"input":2.5,"output":10}}',
  );

/** Parses a valid text. */
export function readModelPrices(text: string): ModelPrices {
  return pricesSchema.parse(parseJson(text));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
