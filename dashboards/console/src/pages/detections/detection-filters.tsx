import { Button, Group, NativeSelect } from '@mantine/core';
import { DETECTION_STATUSES, SEVERITIES } from '#schemas/detection-terms.ts';
import { useRuleIds } from '../../api/rules.ts';
import { SearchInput } from '../../parts/search-input.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TextFilter } from '../../parts/text-filter.tsx';
import { TimeRangeInput } from '../../parts/time-range-input.tsx';
import type { DetectionFilters } from './filters.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.filters;

const SELECT_WIDTHS = { status: '7rem', severity: '6rem', rule: '10rem' } as const;
const ANY = { value: '', label: TEXT.any };
const STATUS_OPTIONS = DETECTION_STATUSES.map((value) => ({ value, label: DETECTIONS_TEXT.statuses[value] }));
const SEVERITY_OPTIONS = SEVERITIES.map((value) => ({ value, label: PARTS_TEXT.severities[value] }));
const FIELDS =
  'hostname, procname, file, executable, parent, unit, container, pod, uid, build_id, register, id, rule, severity, status, verdict, assignee, note, message, exception, revision, crashes, suppressed, evidence, values, value, technique, tactic, first, last'.split(
    ', ',
  );

/** The filters of the list. Each change is written to the address at once. */
export function DetectionFilterBar({
  filters,
  onChange,
}: {
  readonly filters: DetectionFilters;
  readonly onChange: (change: Partial<DetectionFilters>) => void;
}) {
  const ruleIds = useRuleIds();
  const select = <Name extends 'status' | 'severity' | 'rule'>(
    name: Name,
    label: string,
    options: readonly (string | { readonly value: string; readonly label: string })[],
  ) => (
    <NativeSelect
      label={label}
      size="xs"
      w={SELECT_WIDTHS[name]}
      value={filters[name] ?? ''}
      onChange={({ currentTarget: { value } }) => onChange({ [name]: value === '' ? undefined : value })}
      data={[ANY, ...options]}
    />
  );
  return (
    <Group gap="xs" align="flex-end" mb="sm" role="search" aria-label={TEXT.label}>
      <SearchInput value={filters.q} onSearch={(q) => onChange({ q })} fields={FIELDS} />
      {select('status', TEXT.status, STATUS_OPTIONS)}
      {select('severity', TEXT.severity, SEVERITY_OPTIONS)}
      {select('rule', TEXT.rule, [...new Set([...ruleIds, ...(filters.rule === undefined ? [] : [filters.rule])])])}
      <TextFilter label={TEXT.host} value={filters.hostname} onChange={(hostname) => onChange({ hostname })} />
      <TextFilter label={TEXT.program} value={filters.procname} onChange={(procname) => onChange({ procname })} />
      <TextFilter label={TEXT.unit} value={filters.unit} onChange={(unit) => onChange({ unit })} />
      <TextFilter label={TEXT.container} value={filters.container} onChange={(container) => onChange({ container })} />
      {filters.pod !== undefined && (
        <TextFilter label={TEXT.pod} value={filters.pod} onChange={(pod) => onChange({ pod })} />
      )}
      {filters.executable !== undefined && (
        <TextFilter
          label={TEXT.executable}
          value={filters.executable}
          onChange={(executable) => onChange({ executable })}
        />
      )}
      {filters.parent !== undefined && (
        <TextFilter label={TEXT.parent} value={filters.parent} onChange={(parent) => onChange({ parent })} />
      )}
      <TimeRangeInput value={filters} onChange={({ range, from, to }) => onChange({ range, from, to })} />
      {Object.keys(filters).length > 0 && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() =>
            onChange(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])) as DetectionFilters)
          }
        >
          {TEXT.clear}
        </Button>
      )}
    </Group>
  );
}
