import type { Tag } from './document.ts';

/** Groups of operations, in the order of the reference. */
export const TAGS: readonly Tag[] = [
  { name: 'detection service', description: 'Events, detections, rules, exceptions and dead letters.' },
  { name: 'cases', description: 'Cases, their tasks, files and comments.' },
  { name: 'workflows', description: 'Workflows, their executions, triggers and secrets.' },
  { name: 'workers', description: 'Tasks of workflows that external workers process.' },
  { name: 'agents', description: 'Agents, their workspaces, executions, evaluations and feedback.' },
  { name: 'mcp', description: 'Model Context Protocol: tools for assistants.' },
  { name: 'scrapers', description: 'Data of other services, and files that executions have stored.' },
  { name: 'detectors', description: 'Hosts that run the detector: enrolment, status, list.' },
  { name: 'keys', description: 'API keys of the signed-in account.' },
  { name: 'accounts', description: 'Sign-up, sign-in, profile and quotas.' },
  { name: 'SCIM', description: 'Users and groups that an identity provider manages (SCIM 2.0).' },
  { name: 'account', description: 'Statistics of the signed-in account.' },
  { name: 'outputs', description: 'Receivers of detections.' },
  { name: 'administration', description: 'Accounts, keys and the audit log, for administrators.' },
  { name: 'dashboard', description: 'Time series of the service, for administrators.' },
  { name: 'operation', description: 'Health, metrics and this description.' },
  { name: 'views', description: 'Page views of the console.' },
  { name: 'console', description: 'Pages and files of the web console.' },
];
