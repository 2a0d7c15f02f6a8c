import { z } from 'zod';

/** A model and its endpoint in a configuration. */
export const modelSchema = z.looseObject({
  name: z.string().min(1).max(200).describe('Name of the model at its endpoint').optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .describe('Endpoint that speaks the OpenAI protocol, such as https://models.example.org/v1')
    .optional(),
  apiKeySecret: z.string().max(64).describe('Name of the secret that contains the API key').optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
  creditsPerMillionInput: z.number().min(0).max(1_000_000).describe('Price of a million tokens in').optional(),
  creditsPerMillionCachedInput: z
    .number()
    .min(0)
    .max(1_000_000)
    .describe('Price of a million tokens in that the endpoint read from its cache; default as other tokens in')
    .optional(),
  creditsPerMillionOutput: z.number().min(0).max(1_000_000).describe('Price of a million tokens out').optional(),
});
