import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { momentOf, readMoment } from '../filters/typed-moment.ts';
import { Icon } from '../icons.tsx';
import { PARTS_TEXT } from '../text.ts';
import { timeLabel } from './time-input.ts';

const TEXT = PARTS_TEXT.time;
const MINUTES = 16;
const SECONDS = 19;

/**
 * Input of a date and time, typed in the console's time format or selected with the browser's picker. Its value is that
 * of a `datetime-local` input in the selected zone, empty if none exists. Without `value`, it manages its own value,
 * for a form that reads inputs by `name`.
 */
export function MomentInput({
  label,
  value: given,
  onChange,
  name,
  seconds = false,
  whenDone = false,
  ...input
}: {
  readonly label: string;
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  readonly name?: string;
  readonly seconds?: boolean;
  /** Reports typed text only on Enter and when the focus leaves. */
  readonly whenDone?: boolean;
} & Pick<TextInputProps, 'description' | 'size' | 'w'>) {
  const length = seconds ? SECONDS : MINUTES;
  const [own, setOwn] = useState('');
  const value = given ?? own;
  const [text, setText] = useState(() => momentOf(value.slice(0, length), TEXT.day));
  const [isWrong, setWrong] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(momentOf(value.slice(0, length), TEXT.day));
    setWrong(false);
  }, [value, length]);

  function send(wanted: string) {
    if (wanted === value) return;
    sent.current = wanted;
    setOwn(wanted);
    onChange?.(wanted);
  }

  /** Applies a complete time immediately, so that a submitted form contains it. */
  function type(typed: string) {
    setText(typed);
    setWrong(false);
    const read = readTyped(typed);
    if (read !== undefined && !whenDone) send(read);
  }

  function finish() {
    const read = readTyped(text);
    setWrong(read === undefined);
    if (read === undefined) return;
    setText(momentOf(read.slice(0, length), TEXT.day));
    send(read);
  }

  return (
    <TextInput
      {...input}
      label={timeLabel(label)}
      placeholder={TEXT.example}
      autoComplete="off"
      spellCheck={false}
      value={text}
      error={isWrong && TEXT.notUnderstood}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={finish}
      onKeyDown={({ key }) => key === 'Enter' && whenDone && finish()}
      rightSectionPointerEvents="all"
      rightSection={
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={TEXT.calendar}
            onClick={() => picker.current?.showPicker()}
          >
            <Icon name="calendar" />
          </ActionIcon>
          <input
            ref={picker}
            type="datetime-local"
            className="tl-moment-picker"
            name={name}
            step={seconds ? 1 : 60}
            tabIndex={-1}
            aria-hidden
            value={value}
            onChange={({ currentTarget }) => {
              const picked = currentTarget.value;
              setText(momentOf(picked.slice(0, length), TEXT.day));
              setWrong(false);
              send(picked);
            }}
          />
        </>
      }
    />
  );
}

/** Parses the typed text. Empty for no text, undefined if it is not a time. */
function readTyped(text: string): string | undefined {
  return text.trim() === '' ? '' : readMoment(text, new Date().getFullYear());
}
