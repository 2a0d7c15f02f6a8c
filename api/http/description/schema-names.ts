import { z } from 'zod';
import {
  agentExampleSchema,
  agentExecutionSchema,
  agentFeedbackSchema,
  agentFileSchema,
  agentSchema,
  evaluationSchema,
  workspaceVersionSchema,
} from '#schemas/api/agents.ts';
import { apiKeySchema } from '#schemas/api/api-keys.ts';
import { auditEntrySchema } from '#schemas/api/audit-log.ts';
import {
  caseFileSchema,
  caseSchema,
  caseTaskSchema,
  happeningSchema,
  templateSchema,
  wholeCaseSchema,
} from '#schemas/api/cases.ts';
import { cloudEventSchema } from '#schemas/api/cloud-events.ts';
import {
  commentSchema,
  linkedExecutionSchema,
  notificationSettingsSchema,
  personSchema,
} from '#schemas/api/comments.ts';
import { deadLetterSchema } from '#schemas/api/dead-letters.ts';
import { decisionChangeSchema, detectionWithEvidenceSchema } from '#schemas/api/detections.ts';
import { errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';
import { eventRecordSchema } from '#schemas/api/events.ts';
import { exceptionSchema } from '#schemas/api/exceptions.ts';
import { secretSchema } from '#schemas/api/execution-secrets.ts';
import {
  executionStepSchema,
  listedExecutionSchema,
  oneExecutionSchema,
  recentExecutionSchema,
  workflowExecutionSchema,
} from '#schemas/api/executions.ts';
import { identityProviderSchema } from '#schemas/api/identity-providers.ts';
import { outputFilterSchema, outputSchema } from '#schemas/api/outputs.ts';
import { profileSchema } from '#schemas/api/profile.ts';
import { userQuotaSchema } from '#schemas/api/quotas.ts';
import { ruleListingSchema } from '#schemas/api/rules.ts';
import { scimErrorSchema, scimListSchema, scimResourceSchema } from '#schemas/api/scim.ts';
import { triggerSchema } from '#schemas/api/triggers.ts';
import { administeredUserSchema } from '#schemas/api/users.ts';
import { waitSchema } from '#schemas/api/waits.ts';
import { pausedWorkflowSchema } from '#schemas/api/workflow-limits.ts';
import { workflowSchema, workflowVersionSchema } from '#schemas/api/workflows.ts';
import { attackSchema, detectionSchema } from '#schemas/detection.ts';

/**
 * Names under `components.schemas`. They become type names in generated clients. All other names derive from operations
 * and fields.
 */
const SCHEMA_NAMES: Readonly<Record<string, z.ZodType>> = {
  Agent: agentSchema,
  AgentExample: agentExampleSchema,
  AgentExecution: agentExecutionSchema,
  AgentFeedback: agentFeedbackSchema,
  AgentFile: agentFileSchema,
  ApiKey: apiKeySchema,
  AttackTechnique: attackSchema,
  AuditEntry: auditEntrySchema,
  Case: caseSchema,
  CaseFile: caseFileSchema,
  CaseHappening: happeningSchema,
  CaseTask: caseTaskSchema,
  CaseTemplate: templateSchema,
  CloudEvent: cloudEventSchema,
  Comment: commentSchema,
  DeadLetter: deadLetterSchema,
  DecisionChange: decisionChangeSchema,
  Detection: detectionSchema,
  DetectionWithEvidence: detectionWithEvidenceSchema,
  ErrorEnvelope: errorEnvelopeSchema,
  Evaluation: evaluationSchema,
  EventRecord: eventRecordSchema,
  DetectionException: exceptionSchema,
  Execution: oneExecutionSchema,
  ExecutionStep: executionStepSchema,
  IdentityProvider: identityProviderSchema,
  LinkedExecution: linkedExecutionSchema,
  ListedExecution: listedExecutionSchema,
  NotificationSettings: notificationSettingsSchema,
  Output: outputSchema,
  OutputFilter: outputFilterSchema,
  PausedWorkflow: pausedWorkflowSchema,
  Person: personSchema,
  Profile: profileSchema,
  Quotas: userQuotaSchema,
  RecentExecution: recentExecutionSchema,
  Rule: ruleListingSchema,
  ScimError: scimErrorSchema,
  ScimList: scimListSchema,
  ScimResource: scimResourceSchema,
  Secret: secretSchema,
  Trigger: triggerSchema,
  User: administeredUserSchema,
  Wait: waitSchema,
  WholeCase: wholeCaseSchema,
  Workflow: workflowSchema,
  WorkflowExecution: workflowExecutionSchema,
  WorkflowVersion: workflowVersionSchema,
  WorkspaceVersion: workspaceVersionSchema,
};

/** Adds the names to the metadata of the schemas. The generated document contains them as `schemaName`. */
export function registerSchemaNames(): void {
  for (const [schemaName, schema] of Object.entries(SCHEMA_NAMES))
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), schemaName });
}
