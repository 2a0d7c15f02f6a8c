import type { Answer } from '../../api/client.ts';
import { counted } from '../../parts/counted.ts';
import { type Series, TimeSeries } from '../../parts/time-series.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { Breakdown } from './breakdown.tsx';
import { countText } from './quantities.ts';

type Addresses = Answer<'get', '/api/dashboard/ips'>;

const SERIES: readonly Series<Addresses['series'][number]>[] = [
  { label: 'Different addresses', value: ({ addresses }) => addresses },
];

export function AddressesPanel({ found: { series, addresses } }: { readonly found: Addresses }) {
  const limited = addresses.filter((address) => address.limited > 0).length;
  const summary = `${counted(addresses.length, 'busiest address', 'busiest addresses')}; ${limited} ran into a limit.`;
  return (
    <TimeSeries title="Addresses" summary={summary} rows={series} series={SERIES} format={countText}>
      <Breakdown
        label="Addresses that asked most"
        rows={addresses}
        rowId={({ ip }) => ip}
        columns={[
          ['Address', ({ ip }) => ip],
          ['Requests', ({ requests }) => requests],
          ['Errors', ({ errors }) => errors],
          ['Limited', (address) => address.limited],
          ['Accounts', ({ users }) => users],
          ['Last', ({ lastAt }) => <TimeText at={lastAt} ago />],
        ]}
        empty="No requests in this time."
      />
    </TimeSeries>
  );
}
