/** Names of queues and types: also part of NOTIFY payloads, so they have no comma. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** NOTIFY payload prefix: a queue of this name has a task to lease. */
export const TASKS_WAIT = 'worker-tasks:';

/** JSON bytes of the input of a task. */
export const MAX_INPUT_BYTES = 1024 * 1024;
/** Waiting tasks of one account. */
export const MAX_WAITING = 10_000;
