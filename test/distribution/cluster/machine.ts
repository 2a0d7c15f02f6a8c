import { readFile, writeFile } from 'node:fs/promises';
import { run } from '../run.ts';
import { BRIDGE, GATEWAY } from './node.ts';

/** Machine-wide settings that the kubelet, the proxy and the bridge change. */
const SETTINGS = [
  'vm/overcommit_memory',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
  'net/ipv4/ip_forward',
  'net/ipv4/conf/all/route_localnet',
] as const;

/** Creates the bridge of the pods. Returns a function that removes it and restores the settings of the machine. */
export async function prepareMachine(kube: string): Promise<{ restore(): Promise<void> }> {
  const before = await Promise.all(
    SETTINGS.map(async (name) => [name, await readFile(`/proc/sys/${name}`, 'utf8')] as const),
  );
  await run('ip', ['link', 'add', BRIDGE, 'type', 'bridge']);
  await run('ip', ['address', 'add', `${GATEWAY}/24`, 'dev', BRIDGE]);
  await run('ip', ['link', 'set', BRIDGE, 'up']);
  return {
    async restore() {
      await run(kube, ['proxy', '--cleanup']).catch(() => {}); // it reports chains that it did not create
      await run('ip', ['link', 'delete', BRIDGE]);
      for (const [name, value] of before) await writeFile(`/proc/sys/${name}`, value);
    },
  };
}
