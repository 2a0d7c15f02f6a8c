import { catalogue } from '../../language/catalogue.ts';
import { counted } from '../counted.ts';

/** Every text of the log, the steps and the status of an execution. */
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
  log: 'Log',
  /** A line that the engine writes, in the words of the API. */
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
