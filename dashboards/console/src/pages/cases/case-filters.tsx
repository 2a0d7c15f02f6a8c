import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { FigureChips } from '../../parts/filters/figure-chips.tsx';
import { FilterChips } from '../../parts/filters/filter-chips.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeRangeInput } from '../../parts/time/time-range-input.tsx';
import { PersonInput } from '../hand-off/person-input.tsx';
import { type CaseFilters, EXCLUSIONS, STATUS_CHOICES } from './search.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.filters;
const PAUSE_MS = 300;
const STATUS_LABELS = { ...CASES_TEXT.statuses, ...TEXT.statuses };

/** The filters above the list of cases. */
export function CaseFilterBar({
  filters,
  onChange,
}: {
  readonly filters: CaseFilters;
  readonly onChange: (change: { readonly [Name in keyof CaseFilters]?: CaseFilters[Name] | undefined }) => void;
}) {
  const search = useDebouncedCallback((text: string) => onChange({ q: text.trim() || undefined }), PAUSE_MS);
  return (
    <>
      <Group mb="sm" align="flex-end" gap="sm">
        <TextInput
          label={TEXT.search}
          placeholder={TEXT.searchHint}
          defaultValue={filters.q ?? ''}
          maxLength={200}
          onChange={({ currentTarget }) => search(currentTarget.value)}
        />
        <NativeSelect
          label={TEXT.status}
          value={filters.status ?? 'active'}
          data={STATUS_CHOICES.map((value) => ({ value, label: STATUS_LABELS[value] }))}
          onChange={({ currentTarget }) => {
            const status = choiceParam(currentTarget.value, STATUS_CHOICES);
            onChange({ status: status === 'active' ? undefined : status });
          }}
        />
        <NativeSelect
          label={TEXT.severity}
          value={filters.severity ?? ''}
          data={[
            { value: '', label: TEXT.anySeverity },
            ...SEVERITIES.toReversed().map((value) => ({ value, label: PARTS_TEXT.severities[value] })),
          ]}
          onChange={({ currentTarget }) => onChange({ severity: choiceParam(currentTarget.value, SEVERITIES) })}
        />
        <PersonInput
          label={TEXT.assignee}
          placeholder={TEXT.anyone}
          defaultValue={filters.assignee ?? ''}
          onTake={(assignee) => onChange({ assignee })}
          onBlur={({ currentTarget }) => onChange({ assignee: currentTarget.value.trim() || undefined })}
        />
        <TimeRangeInput
          value={filters}
          onChange={(time) => onChange({ range: undefined, from: undefined, to: undefined, ...time })}
        />
      </Group>
      <FilterChips
        filters={{ ...filters }}
        keys={EXCLUSIONS}
        nameOf={(name) => TEXT[name as 'status' | 'severity' | 'assignee']}
        textOf={(name, value) => WORDS[name]?.[value] ?? value}
        onChange={onChange}
      />
      <FigureChips value={filters.figures} names={TEXT.figures} onChange={(figures) => onChange({ figures })} />
    </>
  );
}

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: CASES_TEXT.statuses,
  severity: PARTS_TEXT.severities,
};
