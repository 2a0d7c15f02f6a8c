import { Button, Group } from '@mantine/core';
import { SearchInput } from '../../parts/search-input.tsx';
import { TimeRangeInput } from '../../parts/time-range-input.tsx';
import { visible } from '../../parts/visible.ts';
import { typeText } from './event-columns.tsx';
import type { EventFilters } from './filters.ts';
import { EVENTS_TEXT } from './text.ts';

const TEXT = EVENTS_TEXT.filters;

const FIELDS =
  'hostname, procname, file, executable, unit, container, pod, uid, build_id, register, time, received, topic, partition, offset, type, pid, ip, sp, vmastart, vmasize, location, count, trap, signal, function_name, level, facility'.split(
    ', ',
  );

/** Search and time range, with a button for each chosen facet that removes it. */
export function EventFilterBar({
  filters,
  onChange,
}: {
  readonly filters: EventFilters;
  readonly onChange: (change: Partial<EventFilters>) => void;
}) {
  const chosen = (Object.keys(TEXT.names) as (keyof typeof TEXT.names)[]).flatMap((name) =>
    filters[name] === undefined ? [] : [[name, visible(filters[name])] as const],
  );
  return (
    <Group gap="xs" align="flex-end" mb="sm" role="search" aria-label={TEXT.label}>
      <SearchInput value={filters.q} onSearch={(q) => onChange({ q })} fields={FIELDS} />
      <TimeRangeInput value={filters} onChange={({ range, from, to }) => onChange({ range, from, to })} />
      {chosen.map(([name, value]) => (
        <Button
          key={name}
          size="compact"
          variant="default"
          maw="16rem"
          aria-label={TEXT.remove(TEXT.names[name], value)}
          onClick={() => onChange({ [name]: undefined })}
        >
          {TEXT.chosen(TEXT.names[name], name === 'type' ? typeText(value) : value)}
        </Button>
      ))}
    </Group>
  );
}
