import { Group } from '@mantine/core';
import { FilterChips } from '../../parts/filters/filter-chips.tsx';
import { SearchInput } from '../../parts/filters/search-input.tsx';
import { TimeRangeInput } from '../../parts/time/time-range-input.tsx';
import { typeText } from './event-columns.tsx';
import { EVENT_VALUE_KEYS, type EventFilters } from './filters.ts';
import { EVENTS_TEXT } from './text.ts';

const TEXT = EVENTS_TEXT.filters;

const FIELDS =
  'hostname, procname, file, executable, unit, container, pod, uid, build_id, register, time, received, topic, partition, offset, type, pid, ip, sp, vmastart, vmasize, location, count, trap, signal, function_name, level, facility'.split(
    ', ',
  );

/** Filters that are shown as removable buttons, including the filter by detection. */
const CHIP_KEYS = [...EVENT_VALUE_KEYS, 'detection'];

/** Search and time range, with a button per selected value that removes it. */
export function EventFilterBar({
  filters,
  onChange,
}: {
  readonly filters: EventFilters;
  readonly onChange: (change: Partial<EventFilters>) => void;
}) {
  return (
    <Group gap="xs" align="flex-end" mb="sm" role="search" aria-label={TEXT.label}>
      <SearchInput value={filters.q} onSearch={(q) => onChange({ q })} fields={FIELDS} />
      <TimeRangeInput value={filters} onChange={({ range, from, to }) => onChange({ range, from, to })} />
      <FilterChips
        filters={{ ...filters }}
        keys={CHIP_KEYS}
        nameOf={(name) => TEXT.names[name as keyof typeof TEXT.names]}
        textOf={(name, value) => (name === 'type' ? typeText(value) : value)}
        onChange={onChange}
      />
    </Group>
  );
}
