import type { ChildProcess } from 'node:child_process';
import type { Engine, EngineExit } from './engine.ts';

/** Of the end of what a program says, characters. */
export const STDERR_KEPT = 4_000;

/** An engine of a child process that ends when its standard input does, which the kernel sees to however our process ends. */
export function childEngine(
  child: ChildProcess,
  { stopMs, kill }: { readonly stopMs: number; readonly kill: () => void },
): Engine {
  let stderr = '';
  child.stdout?.resume();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  child.stdin?.on('error', () => {}); // the pipe of a process that has died
  let expected = false;
  const exited = new Promise<EngineExit>((done) => {
    child.once('error', (error) => done({ expected, code: null, signal: null, stderr: error.message }));
    child.once('close', (code, signal) => done({ expected, code, signal, stderr: stderr.trim() }));
  });
  return {
    pid: child.pid ?? 0,
    exited,
    kill,
    async stop() {
      expected = true;
      child.stdin?.end();
      const timer = setTimeout(kill, stopMs);
      await exited;
      clearTimeout(timer);
    },
  };
}
