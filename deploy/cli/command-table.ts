import type { Command } from 'commander';
import type { CommandContext } from './context.ts';

/** Adds a command with its options and action to the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void;

interface CommandEntry {
  readonly summary: string;
  /** Imported only when this command runs, which keeps `detect` small and `--help` fast. */
  readonly load: () => Promise<RegisterCommand>;
}

/** All commands, in the order of the help. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    summary: 'run all roles in one process, on the embedded engines or on the servers whose URLs are set',
    load: async () => (await import('./commands/start.ts')).registerStart,
  },
  ingest: {
    summary: 'store the events of Kafka in ClickHouse; any number of processes',
    load: async () => (await import('./commands/ingest.ts')).registerIngest,
  },
  api: {
    summary: 'serve HTTP from shared stores; any number of processes',
    load: async () => (await import('./commands/api.ts')).registerApi,
  },
  worker: {
    summary: 'run workflows, agents, mail and background jobs; any number of processes',
    load: async () => (await import('./commands/worker.ts')).registerWorker,
  },
  detect: {
    summary: 'read a kernel log and write V1 events, one JSON object per line',
    load: async () => (await import('./commands/detect.ts')).registerDetect,
  },
  detectors: {
    summary: 'enrol hosts that run the detector; list and revoke them',
    load: async () => (await import('./commands/detectors.ts')).registerDetectors,
  },
  validate: {
    summary: 'validate events, one per line',
    load: async () => (await import('./commands/validate.ts')).registerValidate,
  },
  analyze: {
    summary: 'find detections in kernel logs or V1 events, without a server',
    load: async () => (await import('./commands/analyze.ts')).registerAnalyze,
  },
  corpus: {
    summary: 'evaluate the rules on labelled captures: precision, recall, time to the first alert',
    load: async () => (await import('./commands/corpus.ts')).registerCorpus,
  },
  query: {
    summary: 'query events, detections or dead letters of a running server',
    load: async () => (await import('./commands/query.ts')).registerQuery,
  },
  'dead-letters': {
    summary: 'list, show and retry rejected records',
    load: async () => (await import('./commands/dead-letters.ts')).registerDeadLetters,
  },
  rules: {
    summary: 'list the rules: severity, ATT&CK technique, thresholds; test, push and export your own',
    load: async () => (await import('./commands/rules.ts')).registerRules,
  },
  demo: {
    summary: 'replay or remove the bundled capture of a real attack',
    load: async () => (await import('./commands/demo.ts')).registerDemo,
  },
  workflows: {
    summary: 'release, list and run workflows',
    load: async () => (await import('./commands/workflows.ts')).registerWorkflows,
  },
  agents: {
    summary: 'create, list, run and evaluate agents',
    load: async () => (await import('./commands/agents.ts')).registerAgents,
  },
  executions: {
    summary: 'list, follow, cancel and repeat executions of workflows and agents',
    load: async () => (await import('./commands/executions.ts')).registerExecutions,
  },
  mcp: {
    summary: 'serve tools for assistants on standard input and output (Model Context Protocol)',
    load: async () => (await import('./commands/mcp.ts')).registerMcp,
  },
  users: {
    summary: 'create, list and change user accounts',
    load: async () => (await import('./commands/users.ts')).registerUsers,
  },
  keys: {
    summary: 'create, list and revoke API keys of users',
    load: async () => (await import('./commands/keys.ts')).registerKeys,
  },
  audit: {
    summary: 'verify that the audit log was not altered',
    load: async () => (await import('./commands/audit.ts')).registerAudit,
  },
  migrate: {
    summary:
      'prepare the stores: ClickHouse tables, Kafka topics, schemas in the registry; repeating it changes nothing',
    load: async () => (await import('./commands/migrate.ts')).registerMigrate,
  },
  backup: {
    summary: 'back up ClickHouse, PostgreSQL and the files of the data directory while the service runs',
    load: async () => (await import('./commands/backup.ts')).registerBackup,
  },
  restore: {
    summary: 'restore a backup into empty stores, and compare it with them',
    load: async () => (await import('./commands/restore.ts')).registerRestore,
  },
  secrets: {
    summary: 'manage the secrets that all processes of a database share',
    load: async () => (await import('./commands/secrets.ts')).registerSecrets,
  },
  doctor: {
    summary: 'check connections, versions and settings, and report what to do',
    load: async () => (await import('./commands/doctor.ts')).registerDoctor,
  },
  config: {
    summary: 'print the effective configuration and where each value comes from, secrets hidden',
    load: async () => (await import('./commands/config.ts')).registerConfig,
  },
};
