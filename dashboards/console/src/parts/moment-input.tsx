import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import { PARTS_TEXT } from './text.ts';
import { timeLabel } from './time-input.ts';
import { momentOf, readMoment } from './typed-moment.ts';

const TEXT = PARTS_TEXT.time;
const MINUTES = 16;
const SECONDS = 19;

/**
 * A date and time, typed in the format that the console shows times in, or chosen with the picker of the browser. Its value is that of an input of the type
 * `datetime-local` in the chosen zone; empty: none. Without `value` it keeps its own, for a form that reads its inputs by `name`.
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
  /** Reports what is typed on Enter and when the focus leaves, not before. */
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

  /** Takes a whole time at once, so that a form that is sent has it. */
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

/** Empty for no text; undefined for a text that is not a time. */
function readTyped(text: string): string | undefined {
  return text.trim() === '' ? '' : readMoment(text, new Date().getFullYear());
}
