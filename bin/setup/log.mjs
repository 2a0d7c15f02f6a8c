/** Progress of the set-up goes to standard error: standard output belongs to the command that runs afterwards. */
export function log(text) {
  process.stderr.write(`trapline: ${text}\n`);
}

/** Something is missing that the set-up can't get by itself; the message says what and how to get it. */
export class SetupError extends Error {}
