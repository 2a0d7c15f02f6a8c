import { numberText } from '../../language/numbers.ts';
import './facets.css';
import { Button, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { joinValues, splitValues } from '../../parts/filters/filter-values.ts';
import { visible } from '../../parts/visible.ts';
import { typeText } from './event-columns.tsx';
import type { EventFilters } from './filters.ts';
import { EVENTS_TEXT } from './text.ts';
import type { EventSummary } from './use-event-summary.ts';

type FacetName = 'type' | 'hostname' | 'procname' | 'file';
interface Value {
  readonly value: string | null;
  readonly events: number;
}

const TEXT = EVENTS_TEXT.facets;
const SHOWN = 8;

/**
 * Types, hosts, programs and files of the events, with their counts. Selecting values filters the list by any of them.
 * Selecting a value again removes it.
 */
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
      chosen={splitValues(filters[name])}
      onChoose={(values) => onChange({ [name]: joinValues(values) })}
    />
  );
  return (
    <Stack gap="sm">
      {facet(
        TEXT.type,
        'type',
        types.map(({ type, events }) => ({ value: type, events })),
      )}
      {facet(
        TEXT.host,
        'hostname',
        hosts.map(({ hostname, events }) => ({ value: hostname, events })),
      )}
      {facet(
        TEXT.program,
        'procname',
        programs.map(({ procname, events }) => ({ value: procname, events })),
      )}
      {facet(
        TEXT.file,
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
  readonly chosen: readonly string[];
  readonly onChoose: (values: readonly string[]) => void;
}) {
  const id = useId();
  const [all, setAll] = useState(false);
  const shown = all ? values : values.slice(0, SHOWN);
  const textOf = (value: string) => (name === 'type' ? typeText(value) : visible(value));
  return (
    <div role="group" aria-labelledby={id}>
      <Title order={2} size="h6" id={id} mb={2}>
        {title}
      </Title>
      {values.length === 0 && (
        <Text size="sm" c="dimmed">
          {TEXT.none}
        </Text>
      )}
      {shown.map(({ value, events }) =>
        value === null ? (
          <div key="none" className="tl-facet">
            <Text span size="sm" c="dimmed">
              {TEXT.missing[name]}
            </Text>
            <Text span size="sm" c="dimmed">
              {numberText(events)}
            </Text>
          </div>
        ) : (
          <UnstyledButton
            key={value}
            className="tl-facet"
            aria-pressed={chosen.includes(value)}
            onClick={() =>
              onChoose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
            }
          >
            <span className="tl-cell">{chosen.includes(value) ? TEXT.chosen(textOf(value)) : textOf(value)}</span>{' '}
            <Text span size="sm" c="dimmed">
              {numberText(events)}
            </Text>
          </UnstyledButton>
        ),
      )}
      {values.length > SHOWN && (
        <Button size="compact" variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? TEXT.fewer : TEXT.more(values.length - SHOWN)}
        </Button>
      )}
    </div>
  );
}
