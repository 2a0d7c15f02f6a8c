import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const MODULE = import.meta.resolve('#deploy/processes/stop-signals.ts');
const PROGRAM = `
  import { onStopSignal } from ${JSON.stringify(MODULE)};
  onStopSignal((signal) => process.send(signal));
  process.on('message', (told) => process.send(told));
  process.send('running');
`;

// A Ctrl-C under npx: the terminal tells everybody, and npm tells what it runs once more.
test('the twin of a signal is none of its own; another signal ends the process at once', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const told: unknown[] = [];
  child.on('message', (message) => told.push(message));
  const next = async (message: string) => {
    while (!told.includes(message)) await once(child, 'message');
  };
  await next('running');
  child.kill('SIGINT');
  await next('SIGINT');
  child.kill('SIGINT');
  child.send('still there');
  await next('still there');
  expect(told).toEqual(['running', 'SIGINT', 'still there']);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect([code, told.length]).toEqual([1, 3]);
});
