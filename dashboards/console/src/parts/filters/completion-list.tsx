import { useEffect, useRef } from 'react';
import { PARTS_TEXT } from '../text.ts';
import { visible } from '../visible.ts';

export interface CodeCompletion {
  readonly text: string;
  readonly description: string | undefined;
}

/** Completions below a text position. The field handles the keys. */
export function CompletionList({
  id,
  items,
  active,
  place,
  onChoose,
}: {
  readonly id: string;
  readonly items: readonly CodeCompletion[];
  readonly active: number;
  readonly place: { readonly column: number; readonly line: number };
  readonly onChoose: (item: CodeCompletion) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={PARTS_TEXT.completions}
      className="tl-completions"
      style={{ left: `calc(${Math.min(place.column, 40)}ch + 0.5rem)`, top: `calc(${place.line} * 1.5em + 0.5rem)` }}
    >
      {items.map((item, index) => (
        <div
          key={item.text}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Keeps the focus in the field.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(item);
          }}
        >
          <b>{item.text}</b>
          {item.description !== undefined && <span>{visible(item.description)}</span>}
        </div>
      ))}
    </div>
  );
}
