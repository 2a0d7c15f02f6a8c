// Starts a broker once, lets it serve and ends it, so that Java writes down the classes it loaded (class data sharing). Brokers
// started with that archive are up in less than half the time and CPU: tests restart them often. Plain JavaScript: it runs at
// installation, on the machine's own Node.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.mjs';
import { listens } from './listens.mjs';

const run = promisify(execFile);
const PATIENCE_MS = 120_000;

/** Any id in the form Kafka wants. */
export const CLUSTER_ID = 'Uz_A2g2ZQNWjTq2ckpOD6A';

/** @param {string} jars folder @param {string} archive file to make */
export async function trainKafka(jars, archive) {
  // Next to the archive: from another file system it could not be moved into place in one step.
  const folder = mkdtempSync(`${archive}.part-`);
  try {
    const [port, controller] = await freePorts(2);
    const properties = join(folder, 'server.properties');
    writeFileSync(
      properties,
      [
        'process.roles=broker,controller',
        'node.id=1',
        `controller.quorum.voters=1@127.0.0.1:${controller}`,
        `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
        'controller.listener.names=CONTROLLER',
        `log.dirs=${join(folder, 'log')}`,
      ].join('\n'),
    );
    const classPath = ['-cp', join(jars, '*')];
    const format = ['format', '--cluster-id', CLUSTER_ID, '--config', properties];
    await run('java', ['-XX:TieredStopAtLevel=1', ...classPath, 'kafka.tools.StorageTool', ...format]);
    const written = join(folder, 'classes.jsa');
    const broker = spawn(
      'java',
      ['-Xmx512m', `-XX:ArchiveClassesAtExit=${written}`, ...classPath, 'kafka.Kafka', properties],
      {
        stdio: 'ignore',
      },
    );
    const ended = new Promise((resolve) => broker.once('exit', resolve));
    const overdue = setTimeout(() => broker.kill('SIGKILL'), PATIENCE_MS);
    while (broker.exitCode === null && broker.signalCode === null && !(await listens(port))) await pause(50);
    broker.kill('SIGTERM');
    await ended;
    clearTimeout(overdue);
    renameSync(written, archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
