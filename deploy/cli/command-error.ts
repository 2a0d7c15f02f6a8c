/** 0: success. 1: the command found a problem. 2: wrong usage or configuration. */
export type ExitCode = 0 | 1 | 2;

/** Ends a command with a message on standard error. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Creates the error for wrong usage or configuration. */
export function usageError(message: string): CommandError {
  return new CommandError(message, 2);
}

/** The reader of standard output has closed it. The command ends as if it had succeeded. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
