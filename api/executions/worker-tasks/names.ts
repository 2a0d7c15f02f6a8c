/** Allowed names of queues and types. They are part of NOTIFY payloads, so they must not contain commas. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** NOTIFY payload prefix: a queue of this name has a task to lease. */
export const TASKS_WAIT = 'worker-tasks:';

/** Maximum size of the input of a task, in bytes of JSON. */
export const MAX_INPUT_BYTES = 1024 * 1024;
/** Maximum number of waiting tasks per account. */
export const MAX_WAITING = 10_000;
