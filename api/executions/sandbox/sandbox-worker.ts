import { parentPort } from 'node:worker_threads';
import { startInterpreter } from './interpreter.ts';
import type { FromThread, ToThread } from './messages.ts';
import { runScript, type ScriptRun } from './run-script.ts';

/**
 * A thread of one account: one script at a time, each in an instance of the interpreter of its own; the next instance starts while no script runs. After a run that
 * was not clean there is no next one: the thread is ended.
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
  // Assigned before the script begins: it may end at once.
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
