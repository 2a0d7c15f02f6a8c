import { type Agents, createAgents } from './agents.ts';
import {
  createDetections,
  createEvents,
  createRules,
  type Detections,
  type Events,
  type Rules,
} from './detection-service.ts';
import { createExecutions, type Executions } from './follow.ts';
import { type ClientOptions, resolveOptions } from './options.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createTransport } from './transport.ts';
import { createWorkerTasks, type WorkerTasks } from './worker-tasks.ts';
import { createWorkflows, type Workflows } from './workflows.ts';

/** The operations of one Trapline. All reject with a ServiceError, with the reason of the signal they were given, or with a TypeError for arguments that can't be right. */
export interface Client {
  readonly agents: Agents;
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly secrets: Secrets;
  readonly events: Events;
  readonly detections: Detections;
  readonly rules: Rules;
  readonly workerTasks: WorkerTasks;
}

/** A client of one Trapline. Throws a TypeError when there is no key or an option makes no sense. */
export function createClient(options: ClientOptions = {}): Client {
  const transport = createTransport(resolveOptions(options));
  return {
    agents: createAgents(transport),
    workflows: createWorkflows(transport),
    executions: createExecutions(transport),
    secrets: createSecrets(transport),
    events: createEvents(transport),
    detections: createDetections(transport),
    rules: createRules(transport),
    workerTasks: createWorkerTasks(transport),
  };
}
