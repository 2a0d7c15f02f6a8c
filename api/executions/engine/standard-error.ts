import type { WorkflowError } from './port.ts';

/** Where the types of the workflow language's own errors lie. */
export const ERROR_TYPES = 'https://serverlessworkflow.io/spec/1.0.0/errors/';

/** The standard errors of the workflow language, with the status each has unless a better one is known. */
const STANDARD = {
  configuration: { status: 400, title: 'Configuration Error' },
  validation: { status: 400, title: 'Validation Error' },
  expression: { status: 400, title: 'Expression Error' },
  authentication: { status: 401, title: 'Authentication Error' },
  authorization: { status: 403, title: 'Authorization Error' },
  timeout: { status: 408, title: 'Timeout' },
  communication: { status: 500, title: 'Communication Error' },
  runtime: { status: 500, title: 'Runtime Error' },
} as const;
export type StandardError = keyof typeof STANDARD;

/** A standard error as a value, in the shape of RFC 9457, with what happened (no secret) and at which step. */
export function standardError(type: StandardError, detail: string, instance: string, status?: number): WorkflowError {
  return {
    type: `${ERROR_TYPES}${type}`,
    status: status ?? STANDARD[type].status,
    title: STANDARD[type].title,
    detail,
    instance,
  };
}
