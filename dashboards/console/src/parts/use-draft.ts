import { type KeyboardEvent, useEffect, useState } from 'react';

/** Properties of a text input whose value is taken when Enter is pressed or the field is left; `take` hears of changes alone. */
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
