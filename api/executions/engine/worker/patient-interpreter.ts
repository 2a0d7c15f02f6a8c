import { setTimeout as pause } from 'node:timers/promises';
import { ThreadsBusyError } from '#api/threads/bounded-threads.ts';
import { ExpressionsBusyError } from '../../expressions/expression-error.ts';
import type { Interpreter } from '../contract/port.ts';

const PAUSES_MS = [100, 400, 1_500, 5_000, 15_000];

/**
 * Retries a call that was rejected because a resource was busy. Such calls are pure, so a retry is safe. Gives up after
 * about 20 s. Other errors are not retried.
 */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const ms of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await pause(ms);
    }
  }
  return ask();
}

/** Retries calls of the interpreter that were rejected because a resource was busy. */
export function patientInterpreter(interpreter: Interpreter): Interpreter {
  return {
    start: (...given) => patiently(() => interpreter.start(...given)),
    advance: (...given) => patiently(() => interpreter.advance(...given)),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof ThreadsBusyError || error instanceof ExpressionsBusyError;
}
