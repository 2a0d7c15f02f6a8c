import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../run.ts';

export const HELM_VERSION = '3.22.0';
export const KUBERNETES_VERSION = '1.34.4';
/** Version of KEDA, then of the Prometheus Operator, as in `types/go.mod`. */
const TYPES_VERSION = '2.19.0-0.88.1';

const HELM = `helm.sh/helm/v3/cmd/helm@v${HELM_VERSION}`;
const VERSION_PACKAGE = 'k8s.io/component-base/version';
const PROGRAMS = path.join(homedir(), '.cache/trapline/kubernetes');

/** Programs that no package registry offers as binaries. */
export interface Tools {
  readonly helm: string;
  /** All components of Kubernetes: `kube/main.go`. */
  readonly kube: string;
  /** Program that prints the schemas of custom resources: `types/main.go`. */
  readonly types: string;
}

/**
 * Builds programs from their Go modules when the cache of this account lacks them. Helm takes two minutes of processor
 * time, Kubernetes ten.
 */
export async function buildTools(names: readonly (keyof Tools)[], report: (line: string) => void): Promise<Tools> {
  const tools = {
    helm: path.join(PROGRAMS, `helm-${HELM_VERSION}`),
    kube: path.join(PROGRAMS, `kube-${KUBERNETES_VERSION}`),
    types: path.join(PROGRAMS, `types-${TYPES_VERSION}`),
  };
  for (const name of names) {
    if (await exists(tools[name])) continue;
    report(`${tools[name]} is missing: building it, which takes minutes`);
    const started = Date.now();
    await inTemporaryFolder(async (folder) => {
      await BUILD[name](folder);
      await mkdir(PROGRAMS, { recursive: true });
      // The rename is atomic: the binary is either complete or absent, also when two runs build it.
      await cp(path.join(folder, name), `${tools[name]}.${process.pid}`);
      await rename(`${tools[name]}.${process.pid}`, tools[name]);
    });
    report(`${name}: built in ${Math.round((Date.now() - started) / 1_000)} s`);
  }
  return tools;
}

const BUILD: Readonly<Record<keyof Tools, (folder: string) => Promise<void>>> = {
  async helm(folder) {
    await run('go', ['install', '-trimpath', '-ldflags=-s -w', HELM], { env: { GOBIN: folder, CGO_ENABLED: '0' } });
  },
  async kube(folder) {
    const [major = '', minor = ''] = KUBERNETES_VERSION.split('.');
    const version = { gitVersion: `v${KUBERNETES_VERSION}`, gitMajor: major, gitMinor: minor };
    const names = Object.entries(version).map(([name, value]) => `-X ${VERSION_PACKAGE}.${name}=${value}`);
    await buildFolder('kube', folder, names.join(' '));
  },
  types: (folder) => buildFolder('types', folder, ''),
};

/** Builds the program of a folder next to this file. The module file of the folder pins every dependency. */
async function buildFolder(name: string, folder: string, flags: string): Promise<void> {
  const options = ['-trimpath', `-ldflags=-s -w ${flags}`, '-buildvcs=false', '-mod=readonly'];
  await run('go', ['build', ...options, '-o', path.join(folder, name), '.'], {
    cwd: path.join(import.meta.dirname, name),
    env: { CGO_ENABLED: '0' },
  });
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-tools-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
