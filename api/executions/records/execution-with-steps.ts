import type { PayloadStore } from '../payloads/port.ts';
import type { ExecutionStep } from '../tables/execution-steps.ts';
import { stepRecord } from './step-record.ts';

/**
 * The JSON text of an execution with all of its steps, in parts. All payloads of an execution can be gigabytes together: rows are read as the text is taken, and
 * payloads in files are passed on as they are.
 */
export async function* executionWithSteps(
  execution: object,
  steps: AsyncIterable<ExecutionStep>,
  payloads: PayloadStore | undefined,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${openText(execution)},"steps":[`);
  let separator = '';
  for await (const step of steps) {
    yield Buffer.from(separator + openText(stepRecord(step)));
    for (const [name, file] of [
      ['input', step.inputFile],
      ['output', step.outputFile],
    ] as const) {
      if (file === null) continue;
      if (payloads === undefined) throw new Error('this process was given no store for payloads');
      yield Buffer.from(`,"${name}":`);
      yield* payloads.read(file);
    }
    yield Buffer.from('}');
    separator = ',';
  }
  yield Buffer.from(']}');
}

/** An object that has members, without its closing brace. */
function openText(record: object): string {
  return JSON.stringify(record).slice(0, -1);
}
