import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePorts } from '#test/support/services/free-ports.mjs';
import { waitFor } from '#test/support/wait-for.ts';
import { run } from '../run.ts';
import { makeKubeconfig } from './certificates.ts';
import type { ControlPlane } from './control-plane.ts';

export const NODE = 'node-1';
/** The bridge of the pods, and the address of the machine on it. */
export const BRIDGE = 'cni0';
export const GATEWAY = '10.244.0.1';
const POD_NETWORK = '10.244.0.0/24';
/**
 * Image of the container that holds the namespaces of a pod. containerd's configuration refers to this name; the image
 * is built on this machine.
 */
export const PAUSE_IMAGE = 'trapline.test/pause:1';

/** Starts the controllers, the scheduler, containerd, the kubelet and the proxy. Resolves when the node is ready. */
export async function startNode(kube: string, plane: ControlPlane): Promise<{ readonly containerd: string }> {
  const { home, pki } = plane;
  const [managerPort, schedulerPort, kubeletPort, kubeletHealth, proxyHealth, proxyMetrics] = await freePorts(6);
  const manager = await makeKubeconfig(pki, 'manager', plane.server);
  const node = await makeKubeconfig(pki, 'node', plane.server);
  await mkdir(path.join(home, 'cni'));
  const containerd = path.join(home, 'containerd.sock');
  await writeFile(path.join(home, 'cni/10-bridge.conflist'), JSON.stringify(networkConfig(home)));
  await writeFile(path.join(home, 'containerd.toml'), containerdConfig(home, containerd));
  await writeFile(
    path.join(home, 'kubelet.json'),
    JSON.stringify(kubeletConfig({ pki, containerd, port: kubeletPort, health: kubeletHealth })),
  );
  await writeFile(
    path.join(home, 'proxy.json'),
    JSON.stringify(proxyConfig({ kubeconfig: manager, health: proxyHealth, metrics: proxyMetrics })),
  );

  const local = ['--bind-address=127.0.0.1', `--kubeconfig=${manager}`];
  plane.start('controller-manager', kube, [
    'controller-manager',
    ...local,
    `--secure-port=${managerPort}`,
    `--service-account-private-key-file=${path.join(pki, 'accounts.key')}`,
    `--root-ca-file=${path.join(pki, 'ca.crt')}`,
    '--use-service-account-credentials=false',
    '--allocate-node-cidrs=false',
  ]);
  plane.start('scheduler', kube, ['scheduler', ...local, `--secure-port=${schedulerPort}`]);
  plane.start('containerd', 'containerd', ['--config', path.join(home, 'containerd.toml')]);
  await waitFor('containerd', () => run('ctr', ['--address', containerd, 'version']));
  plane.start('kubelet', kube, [
    'kubelet',
    `--config=${path.join(home, 'kubelet.json')}`,
    `--kubeconfig=${node}`,
    `--root-dir=${path.join(home, 'kubelet')}`,
    `--cert-dir=${path.join(home, 'kubelet-pki')}`,
    `--hostname-override=${NODE}`,
    `--node-ip=${GATEWAY}`,
  ]);
  plane.start('proxy', kube, ['proxy', `--config=${path.join(home, 'proxy.json')}`]);
  await waitFor('the node', () => plane.kubectl('wait', '--for=condition=Ready', `node/${NODE}`, '--timeout=5s'), {
    timeoutMs: 300_000,
    everyMs: 1_000,
  });
  return { containerd };
}

function networkConfig(home: string): object {
  const ipam = {
    type: 'host-local',
    dataDir: path.join(home, 'addresses'),
    ranges: [[{ subnet: POD_NETWORK, gateway: GATEWAY }]],
    routes: [{ dst: '0.0.0.0/0' }],
  };
  const bridge = { type: 'bridge', bridge: BRIDGE, isGateway: true, ipMasq: true, hairpinMode: true, ipam };
  return {
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [bridge, { type: 'portmap', capabilities: { portMappings: true } }, { type: 'firewall' }],
  };
}

function containerdConfig(home: string, socket: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
root = "${home}/containerd"
state = "${home}/containerd-state"
[grpc]
  address = "${socket}"
[${cri}]
  sandbox_image = "${PAUSE_IMAGE}"
  restrict_oom_score_adj = true
  [${cri}.cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${home}/cni"
  [${cri}.containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;
}

interface KubeletPorts {
  readonly pki: string;
  readonly containerd: string;
  readonly port: number | undefined;
  readonly health: number | undefined;
}

function kubeletConfig({ pki, containerd, port, health }: KubeletPorts): object {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: GATEWAY,
    port,
    healthzPort: health,
    readOnlyPort: 0,
    authentication: {
      anonymous: { enabled: false },
      x509: { clientCAFile: path.join(pki, 'ca.crt') },
      webhook: { enabled: false },
    },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    failCgroupV1: false,
    failSwapOn: false,
    containerRuntimeEndpoint: `unix://${containerd}`,
    clusterDNS: [GATEWAY],
    clusterDomain: 'cluster.local',
    resolvConf: '/etc/resolv.conf',
    evictionHard: { 'memory.available': '200Mi', 'nodefs.available': '2%', 'imagefs.available': '2%' },
    imageGCHighThresholdPercent: 99,
    imageGCLowThresholdPercent: 98,
    tlsCertFile: path.join(pki, 'node.crt'),
    tlsPrivateKeyFile: path.join(pki, 'node.key'),
    enforceNodeAllocatable: ['pods'],
    maxPods: 60,
  };
}

interface ProxyPorts {
  readonly kubeconfig: string;
  readonly health: number | undefined;
  readonly metrics: number | undefined;
}

function proxyConfig({ kubeconfig, health, metrics }: ProxyPorts): object {
  return {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    bindAddress: '127.0.0.1',
    healthzBindAddress: `127.0.0.1:${health}`,
    metricsBindAddress: `127.0.0.1:${metrics}`,
    mode: 'iptables',
    clusterCIDR: '10.244.0.0/16',
    hostnameOverride: NODE,
    nodePortAddresses: ['127.0.0.0/8'],
    // Routes responses between pods of one bridge through the machine, whether or not the kernel filters bridged
    // packets.
    iptables: { masqueradeAll: true },
    conntrack: { maxPerCore: 0, min: 0 },
    clientConnection: { kubeconfig },
  };
}
