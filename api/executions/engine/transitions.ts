import { EXECUTION_STATUSES, type ExecutionStatus, TERMINAL_STATUSES } from './port.ts';

/**
 * Where an execution may go from where it is. The database holds the same table (`execution_transitions`, filled from this one by its migration)
 * and refuses every other move, whoever asks.
 *
 *     created ──▶ pending ──▶ running ──▶ finalizing ──▶ completed | failed
 *                   ▲  ▲         │  └──────────────────▶ completed | failed | rejected
 *                   │  └─waiting◀┤
 *                   └────────────┘ the lease ended, or was given back
 *
 * `created` has no right to run yet: another execution has its concurrency key. `pending` may be claimed. `running` and `finalizing` are held by a worker's
 * lease. `waiting` is a row and holds nothing. `cancelled` is reached from everywhere that is not terminal. `rejected`: it could never have begun.
 */
export const TRANSITIONS: Readonly<Record<ExecutionStatus, readonly ExecutionStatus[]>> = {
  created: ['pending', 'cancelled', 'rejected'],
  pending: ['running', 'cancelled', 'rejected'],
  running: ['waiting', 'pending', 'finalizing', 'completed', 'failed', 'cancelled', 'rejected'],
  waiting: ['pending', 'cancelled'],
  finalizing: ['pending', 'completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
  rejected: [],
};

/** What an execution may be when it is accepted. */
export const FIRST_STATUSES = ['created', 'pending'] as const satisfies readonly ExecutionStatus[];

const TERMINAL: ReadonlySet<string> = new Set(TERMINAL_STATUSES);

export function isTerminal(status: ExecutionStatus): status is (typeof TERMINAL_STATUSES)[number] {
  return TERMINAL.has(status);
}

export function isAllowed(from: ExecutionStatus, to: ExecutionStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** All allowed moves, as the rows of the database's table. */
export function allowedTransitions(): { readonly from: ExecutionStatus; readonly to: ExecutionStatus }[] {
  return EXECUTION_STATUSES.flatMap((from) => TRANSITIONS[from].map((to) => ({ from, to })));
}
