import { type ExecutionStatus, TERMINAL_STATUSES } from './port.ts';

const TERMINAL: ReadonlySet<string> = new Set(TERMINAL_STATUSES);

/**
 * Whether an execution in this status has ended. The moves between the statuses, which the database checks (`execution_transitions`):
 *
 *     created ──▶ pending ──▶ running ──▶ finalizing ──▶ completed | failed
 *                   ▲  ▲         │  └──────────────────▶ completed | failed | rejected
 *                   │  └─waiting◀┤
 *                   └────────────┘ the lease ended, or was given back
 *
 *     pending ──▶ waiting  a user suspends it before a worker begins it
 *
 * `created` has no right to run yet: another execution has its concurrency key. `pending` may be claimed. `running` and `finalizing` are held by a worker's
 * lease. `waiting` is a row and holds nothing; while
 * `suspended_at` is set, nothing makes it pending. `cancelled` is reached from everywhere that is not terminal. `rejected`: it could never have begun.
 */
export function isTerminal(status: ExecutionStatus): status is (typeof TERMINAL_STATUSES)[number] {
  return TERMINAL.has(status);
}
