import { type Agents, createAgents } from './agents.ts';
import { type Approvals, createApprovals } from './approvals.ts';
import { type Cases, createCases } from './cases.ts';
import { createDetections, createEvents, type Detections, type Events } from './detection-service.ts';
import { createDetectors, type Detectors } from './detectors.ts';
import { createExceptionRequests, createExceptions, type ExceptionRequests, type Exceptions } from './exceptions.ts';
import {
  createDeadLetters,
  createHosts,
  createProcesses,
  createRules,
  createUserRules,
  type DeadLetters,
  type Hosts,
  type Processes,
  type Rules,
  type UserRules,
} from './fleet.ts';
import { createExecutions, type Executions } from './follow.ts';
import { type ClientOptions, resolveOptions } from './options.ts';
import { createOutputs, type Outputs } from './outputs.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { createTeams, type Teams } from './teams.ts';
import { createTransport } from './transport.ts';
import { createWorkerTasks, type WorkerTasks } from './worker-tasks.ts';
import { createWorkflows, type Workflows } from './workflows.ts';

/**
 * The operations of one Trapline service. They reject with a ServiceError, with the reason of the given signal, or with
 * a TypeError for invalid arguments.
 */
export interface Client {
  readonly agents: Agents;
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly secrets: Secrets;
  readonly events: Events;
  readonly detections: Detections;
  readonly rules: Rules;
  readonly workerTasks: WorkerTasks;
  readonly userRules: UserRules;
  readonly exceptions: Exceptions;
  readonly exceptionRequests: ExceptionRequests;
  readonly cases: Cases;
  readonly deadLetters: DeadLetters;
  readonly hosts: Hosts;
  readonly processes: Processes;
  readonly detectors: Detectors;
  readonly approvals: Approvals;
  readonly outputs: Outputs;
  readonly teams: Teams;
}

/** Creates a client of one Trapline service. Throws a TypeError if there is no key or an option is invalid. */
export function createClient(options: ClientOptions = {}): Client {
  const transport = createTransport(resolveOptions(options));
  const executions = createExecutions(transport);
  return {
    agents: createAgents(transport, executions),
    workflows: createWorkflows(transport, executions),
    executions,
    secrets: createSecrets(transport),
    events: createEvents(transport),
    detections: createDetections(transport),
    rules: createRules(transport),
    workerTasks: createWorkerTasks(transport),
    userRules: createUserRules(transport),
    exceptions: createExceptions(transport),
    exceptionRequests: createExceptionRequests(transport),
    cases: createCases(transport),
    deadLetters: createDeadLetters(transport),
    hosts: createHosts(transport),
    processes: createProcesses(transport),
    detectors: createDetectors(transport),
    approvals: createApprovals(transport),
    outputs: createOutputs(transport),
    teams: createTeams(transport),
  };
}
