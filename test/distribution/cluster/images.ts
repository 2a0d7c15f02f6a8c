import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MIGRATIONS } from '#analytics/clickhouse/migrations/migrate.ts';
import { hashLine } from '#analytics/clickhouse/migrations/migration.ts';
import { runShown } from '#deploy/images/docker.ts';
import { run } from '../run.ts';
import { PAUSE_IMAGE } from './node.ts';

/** Program that waits for signals and reaps the processes that the containers of its pod leave behind. */
const PAUSE = `#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static void end(int s) { _exit(0); }
static void reap(int s) { while (waitpid(-1, 0, WNOHANG) > 0); }
int main() { signal(SIGINT, end); signal(SIGTERM, end); signal(SIGCHLD, reap); for (;;) pause(); }
`;

/** Tag of the version that an upgrade installs. */
export const NEXT_TAG = 'distribution-next';

/** Compiles and imports the image of `PAUSE_IMAGE` into Docker. Needs gcc. */
export async function makePauseImage(): Promise<void> {
  await inFolder(async (folder) => {
    await writeFile(path.join(folder, 'pause.c'), PAUSE);
    await run('gcc', ['-static', '-O2', '-w', '-o', path.join(folder, 'pause'), path.join(folder, 'pause.c')]);
    await run('sh', [
      '-c',
      `tar -C "$0" -c pause | docker import --change 'ENTRYPOINT ["/pause"]' - ${PAUSE_IMAGE}`,
      folder,
    ]);
  });
}

/**
 * Builds a next version of the image `platform`: the same program with one more ClickHouse migration, which adds a
 * column to the events table.
 */
export async function makeNextImage(platform: string, next: string): Promise<void> {
  const number = String(MIGRATIONS.length + 1).padStart(4, '0');
  const statement = 'ALTER TABLE {database}.events ADD COLUMN IF NOT EXISTS distribution_check UInt8 DEFAULT 0;\n';
  const file = `${number}-distribution-check.sql`;
  await inFolder(async (folder) => {
    await writeFile(path.join(folder, file), `${hashLine(statement)}\n${statement}`);
    const to = `/opt/trapline/analytics/clickhouse/migrations/${file}`;
    await writeFile(path.join(folder, 'Dockerfile'), `FROM ${platform}\nCOPY ${file} ${to}\n`);
    await runShown('docker', ['build', '--quiet', `--tag=${next}`, '.'], folder);
  });
}

/**
 * Copies images from the Docker engine to the node. Shared layers are copied once. Throws for an image that the engine
 * does not have.
 */
export async function importImages(containerd: string, images: readonly string[]): Promise<void> {
  const script = 'address=$1; shift; docker save "$@" | ctr --address "$address" --namespace k8s.io images import -';
  await run('bash', ['-o', 'pipefail', '-c', script, 'bash', containerd, ...images]);
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-image-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
