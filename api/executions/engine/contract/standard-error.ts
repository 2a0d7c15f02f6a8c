import type { WorkflowError } from './workflow-error.ts';

/** Prefix of the types of standard errors of the workflow language. */
export const ERROR_TYPES = 'https://serverlessworkflow.io/spec/1.0.0/errors/';

/** Standard errors of the workflow language, with their default status. */
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

/** Returns a standard error in the format of RFC 9457, with a detail (without secrets) and the path of the step. */
export function standardError(type: StandardError, detail: string, instance: string, status?: number): WorkflowError {
  return {
    type: `${ERROR_TYPES}${type}`,
    status: status ?? STANDARD[type].status,
    title: STANDARD[type].title,
    detail,
    instance,
  };
}
