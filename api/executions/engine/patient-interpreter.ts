import { setTimeout as pause } from 'node:timers/promises';
import { ThreadsBusyError } from '#api/threads/bounded-threads.ts';
import { ExpressionsBusyError } from '../expressions/expression-error.ts';
import type { Interpreter } from './port.ts';

const PAUSES_MS = [100, 400, 1_500, 5_000, 15_000];

/**
 * Repeats a call that was rejected because something it needs is busy: the same arguments give the same answer later. After some 20 s the error is
 * final, and any other error is at once.
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

/** Repeats calls of the interpreter that were rejected because something it needs is busy. */
export function patientInterpreter(interpreter: Interpreter): Interpreter {
  return {
    start: (...given) => patiently(() => interpreter.start(...given)),
    advance: (...given) => patiently(() => interpreter.advance(...given)),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof ThreadsBusyError || error instanceof ExpressionsBusyError;
}
