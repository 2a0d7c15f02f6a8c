import { Text } from '@mantine/core';
import { HostLink } from '../../parts/host-link.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const SHOWN = 20;

/** The hosts of a campaign, each linked to its page. */
export function HostList({ of: { hosts, hostsTotal } }: { readonly of: Pick<Detection, 'hosts' | 'hostsTotal'> }) {
  const shown = hosts.slice(0, SHOWN);
  return (
    <div className="tl-host-list">
      {shown.map((hostname) => (
        <span key={hostname}>
          <ValueActions name="hostname" value={hostname} list="/detections">
            <HostLink hostname={hostname} />
          </ValueActions>
        </span>
      ))}
      {hostsTotal > shown.length && <Text size="sm">{DETECTION_TEXT.hosts.more(hostsTotal - shown.length)}</Text>}
    </div>
  );
}
