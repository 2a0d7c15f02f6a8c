import { catalogue } from '../../language/catalogue.ts';
import { counted } from '../counted.ts';

/** All texts of the log, the steps and the status of an execution. */
export const EXECUTION_TEXT = catalogue('execution', {
  statuses: {
    created: 'Created',
    pending: 'Pending',
    running: 'Running',
    waiting: 'Waiting',
    finalizing: 'Finalizing',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    rejected: 'Rejected',
    skipped: 'Skipped',
  } as Readonly<Record<string, string>>,
  /** Triggers of executions, by their names in the API. */
  triggers: {
    api: 'API',
    cli: 'command line',
    schedule: 'schedule',
    webhook: 'webhook',
    event: 'event',
    detection: 'detection',
    workflow: 'another workflow',
    agent: 'agent',
    rerun: 're-run',
    replay: 're-run from a step',
    'dry-run': 'dry run',
  } as Readonly<Record<string, string>>,
  starter: {
    /** The name of the user follows, and the notes. */
    byUser: ' by ',
    /** The link to the execution follows. */
    byExecution: ' by ',
    by: (what: string) => ` by ${what}`,
    notes: (notes: readonly string[]): string => (notes.length === 0 ? '' : ` (${notes.join(', ')})`),
    console: 'console',
    key: (label: string) => `API key ${label}`,
    anyKey: 'API key',
    deletedUser: 'deleted user',
  },
  log: 'Log',
  /** A line from the engine, in the wording of the API. */
  line: (text: string) => text,
  levels: { status: 'status' } as Readonly<Record<string, string>>,
  finished: 'Finished',
  live: 'Live',
  reconnecting: 'Connection lost. Reconnecting…',
  step: (name: string) => ` (${name})`,
  noSteps: 'No steps yet.',
  steps: 'Steps',
  columns: { step: 'Step', status: 'Status', duration: 'Duration', timeline: 'Timeline' },
  attempt: (attempt: number) => `, attempt ${attempt}`,
  days: (count: number) => counted(count, 'day'),
  running: '…',
  error: 'Step error',
  input: 'Step input',
  output: 'Step output',
  more: (count: number) => `${counted(count, 'more step')}`,
} as const);
