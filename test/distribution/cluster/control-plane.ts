import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { freePorts } from '#test/support/services/free-ports.mjs';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { run } from '../run.ts';
import { makeCertificates, makeKubeconfig } from './certificates.ts';

const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 30_000;
/** An address from the documentation range. No pod calls the API server, so no interface needs this address. */
const ADVERTISED = '192.0.2.2';

export interface ControlPlane {
  /** Folder with all files of the control plane. */
  readonly home: string;
  /** Folder of the certificates. */
  readonly pki: string;
  readonly server: string;
  readonly kubeconfig: string;
  /** Runs kubectl as administrator. Resolves to its standard output. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Starts a program and writes its output to a file. The control plane ends these programs in reverse order. */
  start(name: string, command: string, args: readonly string[]): SupervisedProcess;
  /** Returns the end of the log of each program. */
  logs(): string;
  stop(): Promise<void>;
}

/** Starts etcd (from Debian) and the API server on loopback addresses. Resolves when the API server is ready. */
export async function startControlPlane(kube: string, home: string): Promise<ControlPlane> {
  const pki = path.join(home, 'pki');
  await mkdir(pki, { recursive: true });
  await makeCertificates(pki);
  const [apiPort = 0, clientPort = 0, peerPort = 0] = await freePorts(3);
  const server = `https://127.0.0.1:${apiPort}`;
  const kubeconfig = await makeKubeconfig(pki, 'admin', server);
  const started: { readonly name: string; readonly process: SupervisedProcess }[] = [];
  const plane: ControlPlane = {
    home,
    pki,
    server,
    kubeconfig,
    kubectl: (...args) => run(kube, ['ctl', `--kubeconfig=${kubeconfig}`, ...args]),
    start(name, command, args) {
      const process = supervise({ command, args, logFile: path.join(home, `${name}.log`), cwd: home });
      started.push({ name, process });
      return process;
    },
    logs: () => started.map(({ name, process }) => `== ${name}\n${process.output()}`).join('\n'),
    async stop() {
      for (const { process } of started.toReversed()) {
        await process.stop(STOP_TIMEOUT_MS);
        await process.endAll();
      }
    },
  };
  const [client, peer] = [clientPort, peerPort].map((port) => `http://127.0.0.1:${port}`);
  plane.start('etcd', 'etcd', [
    ...[
      '--data-dir',
      path.join(home, 'etcd'),
      '--listen-client-urls',
      `${client}`,
      '--advertise-client-urls',
      `${client}`,
    ],
    ...[
      '--listen-peer-urls',
      `${peer}`,
      '--initial-advertise-peer-urls',
      `${peer}`,
      '--initial-cluster',
      `default=${peer}`,
    ],
  ]);
  plane.start('apiserver', kube, ['apiserver', ...apiServerFlags(pki, `${client}`, apiPort)]);
  try {
    await waitFor('the API server', async () => (await plane.kubectl('get', '--raw=/readyz')) === 'ok', {
      timeoutMs: START_TIMEOUT_MS,
      everyMs: 500,
    });
  } catch (error) {
    process.stderr.write(`${plane.logs()}\n`);
    await plane.stop();
    throw error;
  }
  return plane;
}

function apiServerFlags(pki: string, etcd: string, port: number): string[] {
  const file = (name: string) => path.join(pki, name);
  return [
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--advertise-address=${ADVERTISED}`,
    `--tls-cert-file=${file('apiserver.crt')}`,
    `--tls-private-key-file=${file('apiserver.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--service-account-key-file=${file('accounts.pub')}`,
    `--service-account-signing-key-file=${file('accounts.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    '--kubelet-preferred-address-types=InternalIP',
    `--kubelet-client-certificate=${file('admin.crt')}`,
    `--kubelet-client-key=${file('admin.key')}`,
    `--kubelet-certificate-authority=${file('ca.crt')}`,
  ];
}
