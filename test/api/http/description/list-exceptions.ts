import type { ListException } from './list-form.ts';

const SCIM = 'RFC 7644 fixes the form: `Resources`, `startIndex`, `count`, and one `sortOrder`.';

/**
 * List routes that differ from the common form, by operation, with the sentence of the contract that requires the
 * difference.
 */
export const LIST_EXCEPTIONS: Readonly<Record<string, ListException>> = {
  groupDetections: {
    allowed: ['envelope', 'maximum'],
    reason: 'Not a list to page through: the worst groups, and the number of all groups.',
  },
  searchPeople: {
    allowed: ['envelope', 'maximum', 'default'],
    reason: 'Not a list to page through: the best matches for a text field.',
  },
  getOutputDeliveries: {
    allowed: ['envelope'],
    reason: 'The state of an output; its dead letters are a page within the answer, in `deadLetters`.',
  },
  listScimResourceTypes: { allowed: ['envelope'], reason: SCIM },
  listScimSchemas: { allowed: ['envelope'], reason: SCIM },
  listScimUsers: { allowed: ['envelope', 'single-value'], reason: SCIM },
  listScimGroups: { allowed: ['envelope', 'single-value'], reason: SCIM },
  listAgents: {
    allowed: ['maximum'],
    reason: 'The contract leaves the maximum open; released versions accept 500, which clients may send.',
  },
  listAgentExecutions: {
    allowed: ['maximum'],
    reason: 'The contract leaves the maximum open; released versions accept 500, which clients may send.',
  },
};

const EXECUTIONS = 'GET /workflows, …/versions, …/executions: `{data[]*, total*, limit*, offset*}`';
const PLATFORM = 'Lists: `{data[]*, total*, limit*, offset*}`, `limit` 1 to 100, default 50';

/** Lists with `offset`, with the sentence of the contract. New lists use a cursor. */
export const OFFSET_LISTS: Readonly<Record<string, string>> = {
  listWorkflows: EXECUTIONS,
  listWorkflowVersions: EXECUTIONS,
  listWorkflowExecutions: EXECUTIONS,
  listAgents: 'GET /agents: `{data[]*, total*, limit*, offset*}`',
  listAgentExecutions: 'GET /agents/{id}/executions: `{executions[]*, total*, limit*, offset*, …}`',
  listUsers: PLATFORM,
  listAuditEntries: PLATFORM,
  listExecutions: 'None: released before the rule, in the form of the other lists of executions',
  listAgentVersions: 'None: released before the rule, in the form of the versions of workflows',
  listAgentExperiments: 'None: in the form of the other lists of an agent',
  listTeams: 'None: released before the rule',
};
