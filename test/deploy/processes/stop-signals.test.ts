import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const MODULE = import.meta.resolve('#deploy/processes/stop-signals.ts');
const PROGRAM = `
  import { onStopSignal } from ${JSON.stringify(MODULE)};
  onStopSignal((signal) => process.send(signal));
  process.on('message', (message) => process.send(message));
  process.send('running');
`;

// Ctrl-C under npx sends the signal twice: the terminal signals the whole process group, and npm signals its child
// again.
test('ignores a repeated signal; another signal ends the process immediately', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const received: unknown[] = [];
  child.on('message', (message) => received.push(message));
  const next = async (message: string) => {
    while (!received.includes(message)) await once(child, 'message');
  };
  await next('running');
  child.kill('SIGINT');
  await next('SIGINT');
  child.kill('SIGINT');
  child.send('still there');
  await next('still there');
  expect(received).toEqual(['running', 'SIGINT', 'still there']);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect([code, received.length]).toEqual([1, 3]);
});
