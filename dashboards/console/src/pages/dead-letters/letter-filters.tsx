import { Group, NativeSelect } from '@mantine/core';
import type { DeadLetterReason } from '#schemas/rejection-codes.ts';
import { SearchInput } from '../../parts/filters/search-input.tsx';
import { TextFilter } from '../../parts/filters/text-filter.tsx';
import { rejectionText } from '../../parts/rejection-text.ts';
import { TimeRangeInput } from '../../parts/time/time-range-input.tsx';
import { CODES, type LettersSearch } from './letters-search.ts';
import { DEAD_LETTERS_TEXT } from './text.ts';

const TEXT = DEAD_LETTERS_TEXT.filters;

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
        example={TEXT.example}
        onSearch={(q) => onChange({ ...search, q })}
      />
      <NativeSelect
        label={TEXT.reason}
        size="xs"
        value={search.code ?? ''}
        data={[{ value: '', label: TEXT.any }, ...CODES.map((value) => ({ value, label: rejectionText(value) }))]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, code: value === '' ? undefined : (value as DeadLetterReason) })
        }
      />
      <TextFilter label={TEXT.topic} value={search.topic} onChange={(topic) => onChange({ ...search, topic })} />
      <NativeSelect
        label={TEXT.state}
        size="xs"
        value={search.status ?? 'open'}
        data={[
          { value: 'open', label: TEXT.states.open },
          { value: 'redriven', label: TEXT.states.redriven },
          { value: 'any', label: TEXT.states.any },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...search, status: value === 'open' ? undefined : (value as 'redriven' | 'any') })
        }
      />
      <TimeRangeInput value={{ range, from, to }} onChange={(time) => onChange({ ...others, ...time })} />
    </Group>
  );
}
