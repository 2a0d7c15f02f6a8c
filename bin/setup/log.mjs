/** Writes set-up progress to standard error. Standard output belongs to the command that runs afterwards. */
export function log(text) {
  process.stderr.write(`trapline: ${text}\n`);
}

/** Something is missing that the set-up cannot install. The message states what, and how to get it. */
export class SetupError extends Error {}
