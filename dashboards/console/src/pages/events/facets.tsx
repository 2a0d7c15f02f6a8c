import './facets.css';
import { Button, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { visible } from '../../parts/visible.ts';
import { typeText } from './event-columns.tsx';
import { EVENT_TYPES, type EventFilters } from './filters.ts';
import type { EventSummary } from './use-event-summary.ts';

type FacetName = 'type' | 'hostname' | 'procname' | 'file';
interface Value {
  readonly value: string | null;
  readonly events: number;
}

const SHOWN = 8;
const EMPTY = { type: 'no type', hostname: 'no host', procname: 'no program', file: 'no file' } as const;

/** What the events are about, with how many; choosing one narrows the list to it, choosing it again widens it. */
export function Facets({
  summary: { types, hosts, programs, files },
  filters,
  onChange,
}: {
  readonly summary: EventSummary;
  readonly filters: EventFilters;
  readonly onChange: (change: Partial<EventFilters>) => void;
}) {
  const facet = (title: string, name: FacetName, values: readonly Value[]) => (
    <Facet
      title={title}
      name={name}
      values={values}
      chosen={filters[name]}
      onChoose={(value) =>
        onChange(name === 'type' ? { type: EVENT_TYPES.find((one) => one === value) } : { [name]: value })
      }
    />
  );
  return (
    <Stack gap="sm">
      {facet(
        'Type',
        'type',
        types.map(({ type, events }) => ({ value: type, events })),
      )}
      {facet(
        'Host',
        'hostname',
        hosts.map(({ hostname, events }) => ({ value: hostname, events })),
      )}
      {facet(
        'Program',
        'procname',
        programs.map(({ procname, events }) => ({ value: procname, events })),
      )}
      {facet(
        'File',
        'file',
        files.map(({ file, events }) => ({ value: file, events })),
      )}
    </Stack>
  );
}

function Facet({
  title,
  name,
  values,
  chosen,
  onChoose,
}: {
  readonly title: string;
  readonly name: FacetName;
  readonly values: readonly Value[];
  readonly chosen: string | undefined;
  readonly onChoose: (value: string | undefined) => void;
}) {
  const id = useId();
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, SHOWN);
  const words = (value: string) => (name === 'type' ? typeText(value) : visible(value));
  return (
    <div role="group" aria-labelledby={id}>
      <Title order={2} size="h6" id={id} mb={2}>
        {title}
      </Title>
      {values.length === 0 && (
        <Text size="sm" c="dimmed">
          none
        </Text>
      )}
      {shown.map(({ value, events }) =>
        value === null ? (
          <div key="none" className="tl-facet">
            <Text span size="sm" c="dimmed">
              {EMPTY[name]}
            </Text>
            <Text span size="sm" c="dimmed">
              {events.toLocaleString()}
            </Text>
          </div>
        ) : (
          <UnstyledButton
            key={value}
            className="tl-facet"
            aria-pressed={chosen === value}
            onClick={() => onChoose(chosen === value ? undefined : value)}
          >
            <span className="tl-cell">
              {chosen === value && '✓ '}
              {words(value)}
            </span>{' '}
            <Text span size="sm" c="dimmed">
              {events.toLocaleString()}
            </Text>
          </UnstyledButton>
        ),
      )}
      {values.length > SHOWN && (
        <Button size="compact-xs" variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `${values.length - SHOWN} more`}
        </Button>
      )}
    </div>
  );
}
