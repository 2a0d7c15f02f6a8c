import { z } from 'zod';
import { scimErrorSchema, scimListSchema, scimResourceSchema } from '#schemas/api/scim.ts';

export const SCIM_PATH = '/api/scim/v2';
export const SCIM_TYPE = 'application/scim+json';
/** Counted in the budget of the key, because provisioning sends requests in bursts. */
export const SCIM_ACCESS = { access: { by: 'key', scope: 'scim' }, limiting: 'poll' } as const;
export const SCIM_TAGS = ['SCIM'];

export const scimParams = z.strictObject({
  id: z.string().max(200).describe('Id of the resource').meta({ example: '0190f3a1-5b7e-7c3d-9a41-2f6f1f0c9d2e' }),
});

export { scimListSchema as listSchema, scimResourceSchema as resourceSchema };

const refused = scimErrorSchema.describe('A refusal in the format of RFC 7644, section 3.12.');

export function scimErrors<const S extends number>(...statuses: readonly S[]) {
  return Object.fromEntries(statuses.map((status) => [status, refused])) as {
    readonly [K in S]: typeof refused;
  };
}

export const resourceBody = z
  .looseObject({})
  .meta({ description: 'A resource. Attributes outside of the schema are not stored' });

export const patchBody = z.looseObject({
  Operations: z
    .array(
      z.looseObject({
        op: z.string().describe('add, replace or remove'),
        path: z
          .string()
          .max(1_024)
          .optional()
          .describe('Path of the changed attribute; without it, value is an object of attributes'),
        value: z.unknown().optional().describe('The new value'),
      }),
    )
    .min(1)
    .max(1_000)
    .describe('Applied in order, atomically'),
});

export const bulkBody = z.looseObject({
  schemas: z.array(z.string()).optional().describe('URN of a bulk request'),
  failOnErrors: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('Number of failures after which no further operation is executed; default: all are executed'),
  Operations: z
    .array(
      z.looseObject({
        method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).describe('POST, PUT, PATCH or DELETE'),
        path: z.string().max(1_024).describe('/Users or /Groups, with an id unless the method is POST'),
        bulkId: z.string().min(1).max(200).optional().describe('Name of what POST creates, within the request'),
        version: z.string().max(1_000).optional().describe('meta.version that the change requires'),
        data: z.unknown().optional().describe('Body of the corresponding single request'),
      }),
    )
    .min(1)
    .describe('Executed in order; an operation that refers to the result of a later one is executed after it'),
});

export const bulkResponse = z.looseObject({
  schemas: z.array(z.string()).describe('URN of a bulk response'),
  Operations: z
    .array(
      z.looseObject({
        method: z.string().describe('As in the request'),
        bulkId: z.string().optional().describe('As in the request'),
        location: z.string().optional().describe('URL of the resource'),
        version: z.string().optional().describe('Its new version'),
        status: z.string().describe('HTTP status of the corresponding single request, as a string'),
        response: z.looseObject({}).optional().describe('The error of a failed operation'),
      }),
    )
    .describe('Outcomes in the order of the request'),
});

const projectionShape = {
  attributes: z.string().max(1_000).optional().describe('Attributes to return, joined by commas'),
  excludedAttributes: z.string().max(1_000).optional().describe('Attributes to omit, joined by commas'),
};

export const projectionQuery = z.object(projectionShape);

const count = z.coerce.number().int().min(-1_000_000).max(1_000_000).optional();

export const listQuery = z.object({
  ...projectionShape,
  filter: z
    .string()
    .max(4_096)
    .optional()
    .describe('RFC 7644, section 3.4.2.2')
    .meta({ example: 'userName eq "ana@example.org"' }),
  sortBy: z.string().max(200).optional().describe('Attribute to sort by; default: the time of creation'),
  sortOrder: z.enum(['ascending', 'descending']).optional().describe('Default: ascending'),
  startIndex: count.describe('Index of the first result, from 1'),
  count: count.describe('Maximum number of results; at most 200, default 100'),
});

export const conditionHeaders = z.looseObject({
  'if-match': z.string().max(1_000).optional().describe('meta.version that the change requires'),
});
