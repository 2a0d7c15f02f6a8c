import { Combobox, Text, Textarea, useCombobox } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { MAX_COMMENT_CHARACTERS } from '#schemas/case-terms.ts';
import { type OpenMention, openMention, withMention } from './mention.ts';
import { usePeople } from './queries.ts';
import { HAND_OFF_TEXT } from './text.ts';

const TEXT = HAND_OFF_TEXT.thread;

/**
 * The text of a comment. Suggests analysts after `@`. Enter inserts the first one, or the one selected with the arrow
 * keys.
 */
export function CommentInput({
  value,
  onChange,
  onSubmit,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called on Ctrl+Enter. */
  readonly onSubmit: () => void;
}) {
  const [mention, setMention] = useState<OpenMention>();
  const input = useRef<HTMLTextAreaElement>(null);
  const { data = [] } = usePeople(mention?.text ?? '', mention !== undefined);
  const combobox = useCombobox();
  const opened = mention !== undefined && data.length > 0;
  const suggested = data.map(({ username }) => username).join(' ');
  const { selectFirstOption } = combobox;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other suggestions are drawn
  useEffect(() => {
    if (opened) selectFirstOption();
  }, [opened, suggested]);

  function type(text: string, caret: number) {
    onChange(text);
    setMention(openMention(text, caret));
  }

  function take(username: string) {
    if (mention === undefined) return;
    const now = withMention(value, mention, username);
    onChange(now.text);
    setMention(undefined);
    requestAnimationFrame(() => input.current?.setSelectionRange(now.caret, now.caret));
  }

  return (
    <Combobox store={{ ...combobox, dropdownOpened: opened }} onOptionSubmit={take} position="bottom-start">
      {/* A text area does not support the expanded state. */}
      <Combobox.Target withAriaAttributes={false} withKeyboardNavigation={opened}>
        <Textarea
          ref={input}
          aria-label={TEXT.label}
          placeholder={TEXT.placeholder}
          value={value}
          maxLength={MAX_COMMENT_CHARACTERS}
          autosize
          minRows={2}
          maxRows={14}
          onChange={({ currentTarget }) => type(currentTarget.value, currentTarget.selectionStart)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && opened) {
              event.stopPropagation();
              setMention(undefined);
            }
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit();
          }}
          onBlur={() => setMention(undefined)}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={TEXT.suggestions}>
          {data.map(({ username, email }) => (
            <Combobox.Option value={username} key={username}>
              {username}{' '}
              <Text span size="xs" className="tl-option-note">
                {email}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
