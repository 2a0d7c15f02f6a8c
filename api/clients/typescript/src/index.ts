export type { AgentExecutions } from './agent-executions.ts';
export type { Agents } from './agents.ts';
export type { RequestOptions } from './call.ts';
export { type Client, createClient } from './client.ts';
export type { Detections, Events, Rules } from './detection-service.ts';
export type { Download } from './download.ts';
export {
  type ApiErrorEnvelope,
  type ApiIssue,
  ServiceAuthError,
  ServiceConnectionError,
  ServiceError,
  ServiceForbiddenError,
  ServiceNotFoundError,
  ServiceRateLimitError,
  ServiceResponseError,
  ServiceServerError,
  ServiceTimeoutError,
  ServiceValidationError,
} from './errors.ts';
export type { Executions } from './follow.ts';
export type { FileContent, Input } from './form.ts';
export { type ClientOptions, DEFAULT_BASE_URL } from './options.ts';
export type { Secret, Secrets } from './secrets.ts';
export type * from './types/agents.ts';
export type * from './types/base.ts';
export { isTerminal } from './types/base.ts';
export type * from './types/detection.ts';
export type * from './types/follow.ts';
export type * from './types/worker.ts';
export type * from './types/workflows.ts';
export { createWorker, TaskEnded, TaskFailure, type TaskHandler, type Worker, type WorkerOptions } from './worker.ts';
export type { PollTasksParams, TaskFailureParams, WorkerTasks } from './worker-tasks.ts';
export type { WorkflowExecutions } from './workflow-executions.ts';
export type { Workflows } from './workflows.ts';
