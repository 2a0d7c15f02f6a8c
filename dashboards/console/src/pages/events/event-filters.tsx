import { Button, Group } from '@mantine/core';
import { SearchInput } from '../../parts/search-input.tsx';
import { TimeRangeInput } from '../../parts/time-range-input.tsx';
import { visible } from '../../parts/visible.ts';
import { typeText } from './event-columns.tsx';
import type { EventFilters } from './filters.ts';

const FIELDS =
  'hostname, procname, file, register, time, received, topic, partition, offset, type, pid, ip, sp, vmastart, vmasize, location, count, trap, signal, function_name, level, facility'.split(
    ', ',
  );
const NAMES = { type: 'Type', hostname: 'Host', procname: 'Program', file: 'File', detection: 'Evidence of' } as const;

/** Search and time; what was chosen among the facets stands beside them, to be taken away. */
export function EventFilterBar({
  filters,
  onChange,
}: {
  readonly filters: EventFilters;
  readonly onChange: (change: Partial<EventFilters>) => void;
}) {
  const chosen = (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((name) =>
    filters[name] === undefined ? [] : [[name, visible(filters[name])] as const],
  );
  return (
    <Group gap="xs" align="flex-end" mb="sm" role="search" aria-label="Filters of the events">
      <SearchInput value={filters.q} onSearch={(q) => onChange({ q })} fields={FIELDS} />
      <TimeRangeInput value={filters} onChange={({ range, from, to }) => onChange({ range, from, to })} />
      {chosen.map(([name, value]) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          maw="16rem"
          aria-label={`Remove the filter ${NAMES[name]}: ${value}`}
          onClick={() => onChange({ [name]: undefined })}
        >
          {NAMES[name]}: {name === 'type' ? typeText(value) : value} ✕
        </Button>
      ))}
    </Group>
  );
}
