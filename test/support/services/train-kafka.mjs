// Starts a broker once, lets it serve and ends it, so that Java writes down the classes it loaded (class data sharing). Brokers
// started with that archive are up in less than half the time and CPU: tests restart them often. Plain JavaScript: it runs at
// installation, on the machine's own Node.
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { listens } from './listens.mjs';

const run = promisify(execFile);
const PATIENCE_MS = 120_000;

/** Any id in the form Kafka wants. */
export const CLUSTER_ID = 'Uz_A2g2ZQNWjTq2ckpOD6A';

/** @param {string} jars folder @param {string} archive file to make */
export async function trainKafka(jars, archive) {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-kafka-training-'));
  try {
    const [port, controller] = [await freePort(), await freePort()];
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
    moveInto(written, archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Renames also from another file system. */
function moveInto(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'EXDEV') throw error;
    const beside = `${to}.part`;
    copyFileSync(from, beside);
    renameSync(beside, to);
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
