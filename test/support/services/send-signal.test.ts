import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sendSignal } from './send-signal.ts';

const BUSY_THREADS = `
  const { Worker } = require('node:worker_threads');
  for (let index = 0; index < 4; index += 1)
    new Worker('require("node:worker_threads").parentPort.postMessage("up"); for (;;);', { eval: true })
      .once('message', () => console.log('up'));`;

test('no thread of a process runs after SIGSTOP, and all run after SIGCONT', async () => {
  const child = spawn(process.execPath, ['-e', BUSY_THREADS], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for await (const text of child.stdout) {
    output += text;
    if (output.length >= 4 * 'up\n'.length) break;
  }
  const pid = child.pid as number;
  for (let round = 0; round < 20; round += 1) {
    await sendSignal(pid, 'SIGSTOP');
    expect(await threadStates(pid)).toMatch(/^T+$/);
    await sendSignal(pid, 'SIGCONT');
    await expect.poll(() => threadStates(pid)).not.toContain('T');
  }
});

test('a process that has ended gets no signal', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  await sendSignal(child.pid as number, 'SIGSTOP');
});

async function threadStates(pid: number): Promise<string> {
  const threads = await readdir(`/proc/${pid}/task`);
  const states = threads.map(async (thread) =>
    (await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8')).replace(/^.*State:\s(.).*$/s, '$1'),
  );
  return (await Promise.all(states)).join('');
}
