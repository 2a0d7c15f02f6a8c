import { catalogue } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';

/** All texts of the page of external workers. */
export const WORKERS_TEXT = catalogue('workers', {
  title: 'Workers',
  list: 'Queues of workers',
  refresh: 'Refresh',
  hint: 'Your own processes do these tasks of workflows (“call: trapline.worker”). They need a key with the scope tasks:work.',
  columns: {
    queue: 'Queue',
    account: 'Account',
    state: 'State',
    waiting: 'Waiting',
    leased: 'In progress',
    oldest: 'Oldest waiting',
    workers: 'Workers',
  },
  count: numberText,
  counts: (waiting: string, leased: string) => `${waiting} waiting, ${leased} in progress`,
  states: { idle: 'Idle', working: 'Working', waiting: 'Waiting', noWorker: 'No worker' },
  none: 'None in 24 h',
  busy: (name: string, leased: string) => `${name} (${leased})`,
  empty: 'No queues yet. A queue appears when a workflow calls a worker or a worker requests tasks.',
});
