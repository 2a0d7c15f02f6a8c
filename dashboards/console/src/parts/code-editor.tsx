import './code-editor.css';
import { Input } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useId, useImperativeHandle, useRef } from 'react';
import { CompletionList } from './filters/completion-list.tsx';
import { type Complete, useCompletions } from './filters/use-completions.ts';

export interface CodeEditorHandle {
  /** Moves the cursor to the start of a line, from 1. */
  goTo(line: number): void;
}

/**
 * A text with line numbers, read-only or editable. Marked lines have a sign. The Tab key leaves the field, as in all
 * other fields.
 */
export function CodeEditor({
  label,
  value,
  onChange,
  marked = NOTHING,
  handle,
  complete,
}: {
  readonly label: string;
  readonly value: string;
  /** Absent for a read-only text. */
  readonly onChange?: ((text: string) => void) | undefined;
  readonly marked?: ReadonlySet<number>;
  readonly handle?: RefObject<CodeEditorHandle | null>;
  /** Returns completions at the cursor, requested with Ctrl+Space. */
  readonly complete?: Complete | undefined;
}) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const { offered, active, choose, close, onKey } = useCompletions(field, complete, onChange);
  const lines = value.split('\n').length;
  useImperativeHandle(handle, () => ({
    goTo(line) {
      const at = value
        .split('\n')
        .slice(0, line - 1)
        .reduce((sum, text) => sum + text.length + 1, 0);
      field.current?.focus();
      field.current?.setSelectionRange(at, at);
    },
  }));

  /** Gives a new line the indentation of the previous one. */
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (onKey(event)) return;
    if (event.key !== 'Enter' || onChange === undefined || event.shiftKey) return;
    const { selectionStart, selectionEnd, value: text } = event.currentTarget;
    const indent = /^ */.exec(text.slice(text.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart))?.[0] ?? '';
    if (indent === '') return;
    event.preventDefault();
    event.currentTarget.setRangeText(`\n${indent}`, selectionStart, selectionEnd, 'end');
    onChange(event.currentTarget.value);
  }

  return (
    <Input.Wrapper label={label} labelElement="label" id={id} labelProps={{ htmlFor: id }}>
      <div className="tl-code">
        <div aria-hidden="true" className="tl-code-numbers">
          {Array.from({ length: lines }, (_, index) => index + 1).map((line) => (
            <div key={line} data-marked={marked.has(line) || undefined}>
              {marked.has(line) ? `● ${line}` : line}
            </div>
          ))}
        </div>
        <div className="tl-code-text">
          <textarea
            ref={field}
            id={id}
            value={value}
            rows={Math.max(lines, 8)}
            wrap="off"
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            readOnly={onChange === undefined}
            aria-invalid={marked.size > 0 || undefined}
            aria-autocomplete={complete === undefined ? undefined : 'list'}
            aria-controls={offered === undefined ? undefined : listId}
            aria-activedescendant={offered === undefined ? undefined : `${listId}-${active}`}
            onBlur={() => close()}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              close();
              onChange?.(event.currentTarget.value);
            }}
          />
          {offered !== undefined && (
            <CompletionList
              id={listId}
              items={offered.items}
              active={active}
              place={placeOf(value, offered.from)}
              onChoose={choose}
            />
          )}
        </div>
      </div>
    </Input.Wrapper>
  );
}

/** Returns the position of a text offset: its column, and the line below it. */
function placeOf(text: string, at: number) {
  const before = text.slice(0, at).split('\n');
  return { column: before.at(-1)?.length ?? 0, line: before.length };
}

const NOTHING: ReadonlySet<number> = new Set();
