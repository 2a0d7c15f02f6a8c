import { NativeSelect } from '@mantine/core';
import { PARTS_TEXT } from '../text.ts';
import { MomentInput } from './moment-input.tsx';
import { inputValue, timeOfInput } from './time-input.ts';
import { RANGE_NAMES, RANGES, type RangeName, type TimeRange } from './time-range.ts';

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
          <RangeEnd label={TEXT.from} at={from} onChange={(at) => onChange({ from: at, to })} />
          <RangeEnd label={TEXT.to} at={to} onChange={(at) => onChange({ from, to: at })} />
        </>
      )}
    </>
  );
}

function RangeEnd({
  label,
  at,
  onChange,
}: {
  readonly label: string;
  readonly at: string | undefined;
  readonly onChange: (at: string | undefined) => void;
}) {
  return (
    <MomentInput
      label={label}
      size="xs"
      w="13.5rem"
      seconds
      whenDone
      value={inputValue(at, 'seconds')}
      onChange={(value) => onChange(timeOfInput(value))}
    />
  );
}
