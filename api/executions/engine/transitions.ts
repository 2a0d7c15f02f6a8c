import { type ExecutionStatus, TERMINAL_STATUSES } from '#schemas/api/execution-status.ts';

const TERMINAL: ReadonlySet<string> = new Set(TERMINAL_STATUSES);

/**
 * Returns true if an execution in this status has ended. The database enforces these transitions
 * (`execution_transitions`):
 *
 *     created ──▶ pending ──▶ running ──▶ finalizing ──▶ completed | failed
 *                   ▲  ▲         │  └──────────────────▶ completed | failed | rejected
 *                   │  └─waiting◀┤
 *                   └────────────┘ the lease ended or was released
 *
 *     pending ──▶ waiting  a user suspends it before a worker begins it
 *
 * - `created`: may not run yet, because another execution holds its concurrency key.
 * - `pending`: may be claimed.
 * - `running` and `finalizing`: leased by a worker.
 * - `waiting`: occupies no resources besides its row. While `suspended_at` is set, nothing makes it pending.
 * - `cancelled`: reachable from every status that is not terminal.
 * - `rejected`: could never begin.
 */
export function isTerminal(status: ExecutionStatus): status is (typeof TERMINAL_STATUSES)[number] {
  return TERMINAL.has(status);
}
