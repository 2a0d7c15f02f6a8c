import { z } from 'zod';
import type { Scraper } from './scraper.ts';

const parameterSchema = z.object({
  name: z.string(),
  in: z.literal('query'),
  required: z.boolean(),
  type: z.string().describe('string or integer'),
  description: z.string(),
  default: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional().describe('permitted words'),
  example: z.union([z.string(), z.number()]).optional(),
});

/** One entry of the catalogue at GET /api/features. */
export const featureSchema = z.object({
  id: z.string().meta({ example: 'codehost.user' }),
  method: z.literal('GET'),
  path: z.string().meta({ example: '/api/codehost/user' }),
  parameters: z.array(parameterSchema),
  cacheSeconds: z.number().int().describe('how long a response is cached'),
  description: z.string(),
});
export type Feature = z.infer<typeof featureSchema>;

/** Returns the catalogue from the declarations of the scrapers. */
export function scraperCatalogue(scrapers: readonly Scraper[]): Feature[] {
  return scrapers.map(({ id, method, path, query, cacheSeconds, description }) => ({
    id,
    method,
    path,
    parameters: parametersOf(query),
    cacheSeconds,
    description,
  }));
}

function parametersOf(query: z.ZodObject): Feature['parameters'] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, property]) =>
    parameterSchema.parse({
      ...(typeof property === 'object' ? property : {}),
      name,
      in: 'query',
      required: required.includes(name),
    }),
  );
}
