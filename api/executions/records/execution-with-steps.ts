import type { PayloadStore } from '../payloads/port.ts';
import type { ExecutionStep } from '../tables/execution-steps.ts';
import { stepRecord } from './step-record.ts';

/**
 * Streams the JSON text of an execution with all of its steps. The payloads of an execution can total gigabytes. So
 * rows are read as the text is consumed, and payload files are passed through unchanged.
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
      if (payloads === undefined) throw new Error('this process has no payload store');
      yield Buffer.from(`,"${name}":`);
      yield* payloads.read(file);
    }
    yield Buffer.from('}');
    separator = ',';
  }
  yield Buffer.from(']}');
}

/** Returns the JSON text of a non-empty object without its closing brace. */
function openText(record: object): string {
  return JSON.stringify(record).slice(0, -1);
}
