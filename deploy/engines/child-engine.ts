import type { ChildProcess } from 'node:child_process';
import type { Engine, EngineExit } from './engine.ts';

/** Number of characters that are kept from the end of standard error. */
export const STDERR_KEPT = 4_000;

/**
 * Wraps a child process as an engine. The child ends when its standard input closes. The kernel closes it however our
 * process ends.
 */
export function childEngine(
  child: ChildProcess,
  { stopMs, kill }: { readonly stopMs: number; readonly kill: () => void },
): Engine {
  let stderr = '';
  child.stdout?.resume();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  child.stdin?.on('error', () => {}); // The pipe of a process that has ended.
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
