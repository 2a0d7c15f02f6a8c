import type { Command } from 'commander';
import type { CommandContext } from './context.ts';

/** Adds one command, with its options and action, to the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void;

interface CommandEntry {
  readonly summary: string;
  /** Imported only when this command is the one that runs, so that `detect` stays small and `--help` quick. */
  readonly load: () => Promise<RegisterCommand>;
}

/** Every command in the order of the help. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    summary: 'everything in one process, on the embedded engines or on the servers whose URLs are set',
    load: async () => (await import('./commands/start.ts')).registerStart,
  },
  ingest: {
    summary: 'take events from Kafka into ClickHouse; run as many of these as you like',
    load: async () => (await import('./commands/ingest.ts')).registerIngest,
  },
  api: {
    summary: 'serve HTTP from shared stores; run as many of these as you like',
    load: async () => (await import('./commands/api.ts')).registerApi,
  },
  worker: {
    summary: 'do what api processes queue: mails, background jobs; run as many of these as you like',
    load: async () => (await import('./commands/worker.ts')).registerWorker,
  },
  detect: {
    summary: 'the reference detector: kernel log in, V1 events out, one JSON object a line',
    load: async () => (await import('./commands/detect.ts')).registerDetect,
  },
  detectors: {
    summary: 'enrol hosts that run the detector, list and revoke them; prints JSON',
    load: async () => (await import('./commands/detectors.ts')).registerDetectors,
  },
  validate: {
    summary: 'say of every line whether it is a valid event',
    load: async () => (await import('./commands/validate.ts')).registerValidate,
  },
  analyze: {
    summary: 'detections in kernel logs or V1 events, offline: no server, no data directory',
    load: async () => (await import('./commands/analyze.ts')).registerAnalyze,
  },
  corpus: {
    summary:
      'judge labelled captures: precision, recall, time to the first alert; exit code 1 when the rules are wrong',
    load: async () => (await import('./commands/corpus.ts')).registerCorpus,
  },
  query: {
    summary: 'ask a running server for events, detections or dead letters',
    load: async () => (await import('./commands/query.ts')).registerQuery,
  },
  'dead-letters': {
    summary: 'look into refused records and send them through again',
    load: async () => (await import('./commands/dead-letters.ts')).registerDeadLetters,
  },
  rules: {
    summary: 'the catalogue of rules: severity, ATT&CK technique, thresholds, runbook',
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
    summary: 'make, list and run agents',
    load: async () => (await import('./commands/agents.ts')).registerAgents,
  },
  executions: {
    summary: 'look into executions of workflows and agents, follow, cancel and run them again',
    load: async () => (await import('./commands/executions.ts')).registerExecutions,
  },
  mcp: {
    summary: 'serve tools for assistants on standard input and output (Model Context Protocol)',
    load: async () => (await import('./commands/mcp.ts')).registerMcp,
  },
  users: {
    summary: 'make, list and change accounts',
    load: async () => (await import('./commands/users.ts')).registerUsers,
  },
  keys: {
    summary: 'make, list and revoke API keys of users',
    load: async () => (await import('./commands/keys.ts')).registerKeys,
  },
  audit: {
    summary: 'verify that the audit log was not altered; exit code 1 when it was',
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
    summary: 'restore a backup into empty stores, and compare the two',
    load: async () => (await import('./commands/restore.ts')).registerRestore,
  },
  secrets: {
    summary: 'secrets that all processes of a database share',
    load: async () => (await import('./commands/secrets.ts')).registerSecrets,
  },
  doctor: {
    summary: 'check every connection, version and setting and say what to do; exit code 1 when something is wrong',
    load: async () => (await import('./commands/doctor.ts')).registerDoctor,
  },
  config: {
    summary: 'print the effective configuration and where each value comes from, secrets hidden',
    load: async () => (await import('./commands/config.ts')).registerConfig,
  },
};
