import { parentPort } from 'node:worker_threads';
import { startInterpreter } from './interpreter.ts';
import type { FromThread, ToThread } from './messages.ts';
import { runScript, type ScriptRun } from './run-script.ts';

/**
 * Thread of one account: runs one script at a time, each in a new instance of the interpreter. It prepares the next
 * instance while no script runs. After a run that was not clean, the thread is terminated.
 */
const compiled = Promise.withResolvers<object>();
let prepared = compiled.promise.then(startInterpreter);
let current: { readonly run: string; readonly script: ScriptRun } | undefined;

parentPort?.on('message', async (message: ToThread) => {
  if (message.type === 'module') return compiled.resolve(message.module);
  if (message.type !== 'run') {
    if (message.run === current?.run) current.script.answer(message);
    return;
  }
  const interpreter = await prepared;
  const { run } = message;
  // Assigned before the script begins, because it may end synchronously.
  let script: ScriptRun | undefined;
  current = { run, script: { answer: (answer) => script?.answer(answer) } };
  script = runScript(interpreter, message, (report) => {
    parentPort?.postMessage({ run, ...report } satisfies FromThread);
    if (report.type !== 'done' && report.type !== 'failed') return;
    current = undefined;
    if (report.clean) prepared = compiled.promise.then(startInterpreter);
  });
});
parentPort?.postMessage({ type: 'ready' });
