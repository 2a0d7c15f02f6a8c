import { Group, NativeSelect } from '@mantine/core';
import type { RejectionReason } from '#schemas/rejection-codes.ts';
import { SearchInput } from '../../parts/search-input.tsx';
import { TextFilter } from '../../parts/text-filter.tsx';
import { TimeRangeInput } from '../../parts/time-range-input.tsx';
import { CODES, type LettersSearch } from './letters-search.ts';

const FIELDS = ['code', 'path', 'message', 'topic', 'partition', 'offset', 'received', 'raw'];

export function LetterFilters({
  search,
  onChange,
}: {
  readonly search: LettersSearch;
  readonly onChange: (search: LettersSearch) => void;
}) {
  const { range, from, to, ...others } = search;
  return (
    <Group gap="sm" mb="sm" align="flex-end">
      <SearchInput
        value={search.q}
        fields={FIELDS}
        example="code:field_missing not topic:test*"
        onSearch={(q) => onChange({ ...search, q })}
      />
      <NativeSelect
        label="Reason"
        size="xs"
        value={search.code ?? ''}
        data={[{ value: '', label: 'Any' }, ...CODES]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, code: value === '' ? undefined : (value as RejectionReason) })
        }
      />
      <TextFilter label="Topic" value={search.topic} onChange={(topic) => onChange({ ...search, topic })} />
      <NativeSelect
        label="State"
        size="xs"
        value={search.status ?? 'open'}
        data={[
          { value: 'open', label: 'Not put through' },
          { value: 'redriven', label: 'Put through' },
          { value: 'any', label: 'Any' },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, status: value === 'open' ? undefined : (value as 'redriven' | 'any') })
        }
      />
      <TimeRangeInput value={{ range, from, to }} onChange={(time) => onChange({ ...others, ...time })} />
    </Group>
  );
}
