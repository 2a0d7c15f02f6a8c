import { rm } from 'node:fs/promises';
import type { SupervisedProcess } from './supervised-process.ts';

/** A service that a test can kill and restart at the same address with the same data. */
export interface Restartable {
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill9(): Promise<void>;
  /**
   * Sends SIGSTOP. Connections stay open and requests get no response, as with a machine that is out of memory or
   * unreachable.
   */
  freeze(): Promise<void>;
  /** Sends SIGCONT. */
  thaw(): Promise<void>;
  /** Kills the service if it is running and starts it again. Resolves when it serves. */
  restart(): Promise<void>;
  /** Ends the service permanently and removes temporary files. */
  stop(): Promise<void>;
}

/** A service that is a process of this machine. */
export interface RestartableProcess extends Restartable {
  /** Resolves to the id of the current process. */
  pid(): Promise<number>;
}

/** @param temporary folder that is removed when the service is stopped permanently */
export async function restartable(
  launch: () => Promise<SupervisedProcess>,
  temporary?: string,
): Promise<RestartableProcess> {
  const remove = async (): Promise<void> => {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  };
  let process: SupervisedProcess;
  try {
    process = await launch();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    pid: () => process.pid,
    kill9: () => process.kill9(),
    freeze: () => process.signal('SIGSTOP'),
    thaw: () => process.signal('SIGCONT'),
    async restart() {
      if (process.running) await process.kill9();
      process = await launch();
    },
    async stop() {
      await process.stop();
      await remove();
    },
  };
}
