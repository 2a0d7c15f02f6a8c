import type { Answer } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/charts/time-series.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { Breakdown } from './breakdown.tsx';
import { countText } from './quantities.ts';
import { DASHBOARD_TEXT } from './text.ts';

const TEXT = DASHBOARD_TEXT.addresses;

type Addresses = Answer<'get', '/api/dashboard/ips'>;

const SERIES: readonly Series<Addresses['series'][number]>[] = [
  { label: TEXT.series, value: ({ addresses }) => addresses },
];

export function AddressesPanel({ found: { series, addresses } }: { readonly found: Addresses }) {
  const limited = addresses.filter((address) => address.limited > 0).length;
  return (
    <TimeSeries
      title={DASHBOARD_TEXT.panels.addresses}
      summary={TEXT.summary(addresses.length, limited)}
      rows={series}
      series={SERIES}
      format={countText}
    >
      <Breakdown
        label={TEXT.list}
        rows={addresses}
        rowId={({ ip }) => ip}
        columns={[
          [TEXT.address, ({ ip }) => ip],
          [TEXT.requests, ({ requests }) => requests],
          [TEXT.errors, ({ errors }) => errors],
          [TEXT.limited, (address) => address.limited],
          [TEXT.users, ({ users }) => users],
          [TEXT.lastSeen, ({ lastAt }) => <TimeText at={lastAt} ago />],
        ]}
        empty={TEXT.empty}
      />
    </TimeSeries>
  );
}
