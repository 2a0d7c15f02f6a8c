import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type Ref, useEffect, useRef, useState } from 'react';

const PAUSE_MS = 350;

/**
 * A filter that applies while the user types, after a short delay. `value` is the current filter, which navigation can
 * change too.
 */
export function TypedFilter({
  value,
  onFilter,
  inputRef,
  ...input
}: {
  readonly value: string;
  readonly onFilter: (value: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
} & Pick<TextInputProps, 'label' | 'placeholder' | 'name'>) {
  const [text, setText] = useState(value);
  const known = useRef(value);
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    setText(value);
  }, [value]);
  const send = useDebouncedCallback((typed: string) => {
    known.current = typed.trim();
    onFilter(typed.trim());
  }, PAUSE_MS);
  return (
    <TextInput
      {...input}
      ref={inputRef}
      type="search"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        send(currentTarget.value);
      }}
    />
  );
}
