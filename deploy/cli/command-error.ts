/** 0 done, 1 the work found something wrong, 2 wrong usage or configuration. */
export type ExitCode = 0 | 1 | 2;

/** Ends a command with a message for people on standard error. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Wrong usage or configuration. */
export function usageError(message: string): CommandError {
  return new CommandError(message, 2);
}

/** The reader of standard output has closed it: the command ends as if it were done. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
