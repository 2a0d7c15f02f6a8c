import { rm } from 'node:fs/promises';
import type { SupervisedProcess } from './supervised-process.ts';

/** A service a test can let die and come back at the same address with the same data. */
export interface Restartable {
  /** SIGKILL; resolves when the process is gone. */
  kill9(): Promise<void>;
  /** SIGSTOP: its connections stay open and nothing is answered, as of a machine that is out of memory or of reach. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): Promise<void>;
  /** Starts it again, after killing it when it runs; resolves when it serves. */
  restart(): Promise<void>;
  /** Ends it for good and removes what was temporary. */
  stop(): Promise<void>;
}

/** A service that is a process of this machine. */
export interface RestartableProcess extends Restartable {
  /** Id of the process that serves now. */
  pid(): Promise<number>;
}

/** @param temporary folder that goes when the service is stopped for good */
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
