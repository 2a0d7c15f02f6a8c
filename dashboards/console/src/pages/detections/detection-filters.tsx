import { Button, Group, NativeSelect } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { DETECTION_GROUPINGS } from '#schemas/api/detection-sort.ts';
import { DETECTION_STATUSES, SEVERITIES, VERDICTS } from '#schemas/detection-terms.ts';
import { useRules } from '../../api/rules.ts';
import { useProfile } from '../../app/use-profile.ts';
import { ChoiceFilter, type ChoiceOption } from '../../parts/filters/choice-filter.tsx';
import { FilterChips } from '../../parts/filters/filter-chips.tsx';
import { splitValues } from '../../parts/filters/filter-values.ts';
import { SearchInput } from '../../parts/filters/search-input.tsx';
import { TextFilter } from '../../parts/filters/text-filter.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeRangeInput } from '../../parts/time/time-range-input.tsx';
import { type DetectionFilters, NO_VALUE, VALUE_KEYS, type ValueFilter } from './filters.ts';
import type { ListView } from './list-view.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.filters;

const STATUS_OPTIONS = DETECTION_STATUSES.map((value) => ({ value, label: DETECTIONS_TEXT.statuses[value] }));
const SEVERITY_OPTIONS = SEVERITIES.toReversed().map((value) => ({ value, label: PARTS_TEXT.severities[value] }));
const VERDICT_OPTIONS = [
  ...VERDICTS.map((value) => ({ value, label: DETECTIONS_TEXT.verdicts[value] })),
  { value: NO_VALUE, label: TEXT.noVerdict },
];
const FIELDS =
  'hostname, procname, file, executable, parent, unit, container, pod, uid, build_id, register, id, rule, severity, status, verdict, assignee, note, message, exception, revision, crashes, suppressed, evidence, duration, values, value, technique, tactic, first, last'.split(
    ', ',
  );
/** Filters with a dedicated input. Other filters and exclusions are shown as buttons that remove them. */
const WITH_INPUT = new Set<string>(['severity', 'status', 'verdict', 'rule', 'assignee', 'hostname', 'procname']);
const CHIP_KEYS = VALUE_KEYS.filter((key) => !WITH_INPUT.has(key));

/**
 * Filters and grouping of the list. Each change is written to the URL immediately. On a phone, a button opens them,
 * because they would take half of the page. Long: the markup of each filter.
 */
export function DetectionFilterBar({
  filters,
  view,
  onChange,
  onView,
}: {
  readonly filters: DetectionFilters;
  readonly view: ListView;
  readonly onChange: (change: Partial<DetectionFilters>) => void;
  readonly onView: (view: ListView) => void;
}) {
  const wide = useMediaQuery('(min-width: 48em)', true);
  const [opened, setOpened] = useState(false);
  const shown = wide || opened;
  const chosen = Object.keys(filters).filter((name) => name !== 'q').length;
  const { username } = useProfile();
  const rules = useRules().map(({ id, name }) => ({ value: id, label: name }));
  /** Returns the options, followed by values of the filter that the options do not contain. */
  const known = (options: readonly ChoiceOption[], value: string | undefined) => [
    ...options,
    ...splitValues(value)
      .filter((one) => !options.some((option) => option.value === one))
      .map((one) => ({ value: one, label: one })),
  ];
  const assignees = [
    { value: username, label: TEXT.me(username) },
    { value: NO_VALUE, label: TEXT.notAssigned },
    ...known([], filters.assignee).filter(({ value }) => value !== username && value !== NO_VALUE),
  ];
  const choice = (name: 'severity' | 'status' | 'verdict' | 'rule' | 'assignee', options: readonly ChoiceOption[]) => (
    <ChoiceFilter
      label={TEXT.names[name]}
      options={options}
      value={filters[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <>
      <Group gap="xs" align="flex-end" mb="xs" role="search" aria-label={TEXT.label}>
        <SearchInput value={filters.q} onSearch={(q) => onChange({ q })} fields={FIELDS} />
        {!wide && (
          <Button variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            {TEXT.open(chosen)}
          </Button>
        )}
        {shown && (
          <>
            {choice('severity', SEVERITY_OPTIONS)}
            {choice('status', STATUS_OPTIONS)}
            {choice('rule', known(rules, filters.rule))}
            {choice('verdict', VERDICT_OPTIONS)}
            {choice('assignee', assignees)}
            <TextFilter
              label={TEXT.names.hostname}
              width="6rem"
              value={filters.hostname}
              onChange={(hostname) => onChange({ hostname })}
            />
            <TextFilter
              label={TEXT.names.procname}
              width="6rem"
              value={filters.procname}
              onChange={(procname) => onChange({ procname })}
            />
            <TimeRangeInput value={filters} onChange={({ range, from, to }) => onChange({ range, from, to })} />
            <NativeSelect
              label={TEXT.group}
              size="xs"
              w="6.5rem"
              value={view.group ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onView({ ...view, group: choiceParam(value, DETECTION_GROUPINGS) })
              }
              data={[
                { value: '', label: TEXT.noGroups },
                ...DETECTION_GROUPINGS.map((value) => ({ value, label: TEXT.names[value] })),
              ]}
            />
          </>
        )}
        {Object.keys(filters).length > 0 && (
          <Button
            size="xs"
            variant="subtle"
            onClick={() => onChange(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))}
          >
            {TEXT.clear}
          </Button>
        )}
      </Group>
      <FilterChips
        filters={{ ...filters }}
        keys={CHIP_KEYS}
        nameOf={(name) => TEXT.names[name as ValueFilter]}
        textOf={(name, value) =>
          (name === 'rule' ? rules.find((rule) => rule.value === value)?.label : undefined) ?? valueText(name, value)
        }
        onChange={onChange}
      />
    </>
  );
}

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  severity: PARTS_TEXT.severities,
  status: DETECTIONS_TEXT.statuses,
  verdict: { ...DETECTIONS_TEXT.verdicts, [NO_VALUE]: TEXT.noVerdict },
  assignee: { [NO_VALUE]: TEXT.notAssigned },
  campaign: { [NO_VALUE]: TEXT.noCampaign },
};

/** Returns the displayed text of a filter value. */
function valueText(name: string, value: string): string {
  return WORDS[name]?.[value] ?? value;
}
