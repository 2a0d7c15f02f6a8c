export type { AgentExecutions } from './agent-executions.ts';
export type { Agents } from './agents.ts';
export type { Approvals } from './approvals.ts';
export type { BulkActions } from './bulk-actions.ts';
export type { RequestOptions } from './call.ts';
export type { CaseFiles, Cases, CaseTasks, CaseTemplates } from './cases.ts';
export { type Client, createClient } from './client.ts';
export type { Comments, LinkedExecutions } from './comments.ts';
export type { List } from './cursor-list.ts';
export type {
  DetectionStreamEvent,
  DetectionStreamParams,
  Detections,
  Events,
  ExportFormat,
  Proposals,
} from './detection-service.ts';
export type { Detectors } from './detectors.ts';
export type { Download } from './download.ts';
export {
  type ApiErrorEnvelope,
  type ApiIssue,
  RunFailedError,
  ServiceAuthError,
  ServiceConnectionError,
  ServiceError,
  ServiceForbiddenError,
  ServiceNotFoundError,
  ServicePreconditionError,
  ServiceRateLimitError,
  ServiceResponseError,
  ServiceServerError,
  ServiceTimeoutError,
  ServiceValidationError,
} from './errors.ts';
export { exactJson, parseExactJson } from './exact-json.ts';
export type { ExceptionRequests, Exceptions } from './exceptions.ts';
export type { AgentChecks, AgentExperiments } from './experiments.ts';
export type { DeadLetters, Hosts, Processes, Rules, UserRules } from './fleet.ts';
export type { Executions } from './follow.ts';
export type { FileContent, Input } from './form.ts';
export { type ClientOptions, DEFAULT_BASE_URL } from './options.ts';
export type { Outputs } from './outputs.ts';
export type { AnswerOf, BodyOf, ChangeOptions, QueryOf, Schemas, Versioned } from './routes.ts';
export type { BatchOptions, BatchStart, Execution, Run, WaitOptions } from './runs.ts';
export type { Secret, SecretOptions, Secrets } from './secrets.ts';
export type { SharingGrants } from './sharing.ts';
export type { Teams } from './teams.ts';
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
