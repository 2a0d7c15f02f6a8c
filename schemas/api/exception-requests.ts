import { z } from 'zod';
import { createdExceptionSchema, exceptionRequestSchema } from './exceptions.ts';
import { storableText } from './storable-text.ts';

/** Whether analysts may create exceptions, or only request them from an administrator. */
export const ANALYST_EXCEPTIONS = ['create', 'request'] as const;
export type AnalystExceptions = (typeof ANALYST_EXCEPTIONS)[number];

export const EXCEPTION_REQUEST_STATES = ['open', 'approved', 'rejected', 'withdrawn'] as const;
export type ExceptionRequestState = (typeof EXCEPTION_REQUEST_STATES)[number];

const analysts = z
  .enum(ANALYST_EXCEPTIONS)
  .describe('create: analysts create exceptions; request: they request them, and an administrator decides');

export const exceptionPolicySchema = z.object({
  analysts,
  mayCreate: z.boolean().describe('Whether the caller may create exceptions. If false, the caller may request them'),
  mayDecide: z.boolean().describe('Whether the caller may decide on requests of other users'),
  etag: z.string().describe('Version of the request, for If-Match'),
  changedAt: z.iso.datetime(),
  changedBy: z.string(),
});

export const exceptionPolicyChangeSchema = z.strictObject({ analysts });

/** A new exception request. */
export const newExceptionRequestSchema = exceptionRequestSchema;

export const exceptionRequestIdSchema = z
  .string()
  .regex(/^exr_[0-9a-f]{32}$/, 'must be the id of a request for an exception')
  .describe('Id of a request for an exception');

export const requestDecisionSchema = z.strictObject({
  reason: storableText(2000).describe('Reason, shown to the requester and in the audit log'),
});

export const requestedExceptionSchema = z.object({
  id: z.string(),
  hostname: z.string().nullable(),
  program: z.string().nullable(),
  file: z.string().nullable(),
  rule: z.string().nullable(),
  expires: z.string().nullable(),
  reason: z.string(),
  detection: z.string().nullable().describe('Detection that the request was made from'),
  createdAt: z.iso.datetime(),
  requestedBy: z.string(),
  requesterName: z.string().nullable().describe('Username at the time of the request'),
  own: z.boolean().describe('Whether the caller made the request, with any of their keys or sessions'),
  state: z.enum(EXCEPTION_REQUEST_STATES),
  decidedAt: z.iso.datetime().nullable(),
  decidedBy: z.string().nullable(),
  decidedByName: z.string().nullable(),
  decisionReason: z.string().nullable(),
  exception: z.string().nullable().describe('Exception that the approval created'),
});

export const exceptionRequestListSchema = z.object({
  data: z.array(requestedExceptionSchema).describe('Newest first'),
  open: z.int().describe('Number of open requests'),
  waiting: z.int().describe('Number of open requests that the caller may decide on'),
  limit: z.int().describe('The requested page size'),
  nextCursor: z.string().nullable().describe('null on the last page'),
});

export const approvedRequestSchema = requestedExceptionSchema.extend({
  silenced: createdExceptionSchema.shape.silenced,
});
