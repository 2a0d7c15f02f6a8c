import { type KeyboardEvent, useEffect, useState } from 'react';

/**
 * Returns properties of a text input that applies its value on Enter or when it loses focus. Calls `take` only with a
 * changed value.
 */
export function useDraft(value: string, take: (value: string) => void) {
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const done = () => {
    if (draft.trim() !== value) take(draft.trim());
  };
  return {
    value: draft,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setDraft(currentTarget.value),
    onBlur: done,
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (key === 'Enter') done();
    },
  };
}
