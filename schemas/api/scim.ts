import { z } from 'zod';

export const scimResourceSchema = z
  .looseObject({ schemas: z.array(z.string()).describe('URNs of the schemas') })
  .meta({ description: 'A resource, RFC 7643' });

export const scimListSchema = z.looseObject({
  schemas: z.array(z.string()).describe('URN of a list response'),
  totalResults: z.number().int().describe('How many there are on all pages'),
  startIndex: z.number().int().optional().describe('Number of the first one, from 1'),
  itemsPerPage: z.number().int().optional().describe('How many are here'),
  Resources: z.array(z.looseObject({})).describe('The resources of this page'),
});

export const scimErrorSchema = z
  .looseObject({
    schemas: z.array(z.string()).describe('URN of an error'),
    status: z.string().describe('Status of HTTP, as a text'),
    scimType: z.string().optional().describe('Kind of the error, RFC 7644, table 9'),
    detail: z.string().describe('What is wrong'),
  })
  .meta({ description: 'A refusal, RFC 7644, section 3.12' });
