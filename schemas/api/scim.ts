import { z } from 'zod';

export const scimResourceSchema = z
  .looseObject({ schemas: z.array(z.string()).describe('URNs of the schemas') })
  .meta({ description: 'A resource, RFC 7643' });

export const scimListSchema = z.looseObject({
  schemas: z.array(z.string()).describe('URN of a list response'),
  totalResults: z.number().int().describe('Number of resources on all pages'),
  startIndex: z.number().int().optional().describe('Index of the first resource of this page, from 1'),
  itemsPerPage: z.number().int().optional().describe('Number of resources on this page'),
  Resources: z.array(z.looseObject({})).describe('The resources of this page'),
});

export const scimErrorSchema = z
  .looseObject({
    schemas: z.array(z.string()).describe('URN of an error'),
    status: z.string().describe('HTTP status as a string'),
    scimType: z.string().optional().describe('Kind of the error, RFC 7644, table 9'),
    detail: z.string().describe('Description of the error'),
  })
  .meta({ description: 'An error, RFC 7644, section 3.12' });
