import { setTimeout as pause } from 'node:timers/promises';
import type { Interpreter } from './port.ts';

const PAUSES_MS = [100, 400, 1_500, 5_000, 15_000];

/**
 * An interpreter rejects only when something it needs is busy or was just started anew; asked again, the same arguments give the same answer. After some
 * 20 s it is no busyness any more.
 */
export function patientInterpreter(interpreter: Interpreter): Interpreter {
  async function patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (const ms of PAUSES_MS) {
      try {
        return await ask();
      } catch {
        await pause(ms);
      }
    }
    return ask();
  }
  return {
    start: (definition, run, at) => patiently(() => interpreter.start(definition, run, at)),
    advance: (definition, run, state, event) => patiently(() => interpreter.advance(definition, run, state, event)),
  };
}
