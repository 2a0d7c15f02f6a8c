import { NativeSelect, TextInput } from '@mantine/core';
import { PARTS_TEXT } from './text.ts';
import { inputValue, timeLabel, timeOfInput } from './time-input.ts';
import { RANGE_NAMES, RANGES, type RangeName, type TimeRange } from './time-range.ts';
import { useDraft } from './use-draft.ts';

const TEXT = PARTS_TEXT.time;

const CUSTOM = 'custom';
const ALL = '';

/** Selects a time range by name or by its ends. */
export function TimeRangeInput({
  value,
  onChange,
}: {
  readonly value: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}) {
  const { range, from, to } = value;
  const custom = range === undefined && (from !== undefined || to !== undefined);

  function choose(chosen: string) {
    if (chosen === ALL) onChange({});
    else if (chosen === CUSTOM) onChange({ from: new Date(Date.now() - 86_400_000).toISOString() });
    else onChange({ range: chosen as RangeName });
  }

  return (
    <>
      <NativeSelect
        label={TEXT.label}
        w="8.2rem"
        size="xs"
        value={custom ? CUSTOM : (range ?? ALL)}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: ALL, label: TEXT.all },
          ...RANGE_NAMES.map((name) => ({ value: name, label: RANGES[name] })),
          { value: CUSTOM, label: TEXT.custom },
        ]}
      />
      {custom && (
        <>
          <TimeInput label={TEXT.from} at={from} onChange={(at) => onChange({ from: at, to })} />
          <TimeInput label={TEXT.to} at={to} onChange={(at) => onChange({ from, to: at })} />
        </>
      )}
    </>
  );
}

function TimeInput({
  label,
  at,
  onChange,
}: {
  readonly label: string;
  readonly at: string | undefined;
  readonly onChange: (at: string | undefined) => void;
}) {
  const draft = useDraft(inputValue(at, 'seconds'), (value) => onChange(timeOfInput(value)));
  return <TextInput type="datetime-local" step={1} size="xs" label={timeLabel(label)} {...draft} />;
}
