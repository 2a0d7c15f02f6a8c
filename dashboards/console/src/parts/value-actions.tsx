import { Menu } from '@mantine/core';
import { type ReactNode, useContext, useRef, useState } from 'react';
import { RowEngaged } from './row-engaged.ts';
import { PARTS_TEXT } from './text.ts';
import { type FilteredList, OUTSIDE_ROW, type ValueSubject } from './value-subject.ts';

const TEXT = PARTS_TEXT.value;

/** Loaded when the first menu is opened. */
let ValueMenu: typeof import('./value-menu.tsx')['ValueMenu'] | undefined;

/**
 * A value with a menu of what can be done with it: filter for it, filter it out, copy it, open its host or program, show related events. In a row of
 * a list its button appears with the pointer or the keyboard on the row, and the arrow keys to the sides reach it.
 */
export function ValueActions({
  name,
  value,
  shown = value,
  list,
  subject = {},
  inRow = false,
  children,
}: {
  /** Name of the filter. */
  readonly name: string;
  readonly value: string | null | undefined;
  /** The value as it is shown, for the name of the button. */
  readonly shown?: string | null | undefined;
  readonly list: FilteredList;
  readonly subject?: ValueSubject;
  /** It stands in a row of a list, which is one stop of the tab key. */
  readonly inRow?: boolean;
  readonly children: ReactNode;
}) {
  const [opened, setOpened] = useState<boolean>();
  const trigger = useRef<HTMLButtonElement>(null);
  const engaged = useContext(RowEngaged);
  if (!value) return children;
  if (!engaged && opened === undefined)
    return (
      <span className="tl-value">
        <span className="tl-value-text">{children}</span>
      </span>
    );

  async function open() {
    ValueMenu ??= (await import('./value-menu.tsx')).ValueMenu;
    setOpened(true);
  }

  function change(isOpen: boolean) {
    setOpened(isOpen);
    if (!isOpen) trigger.current?.focus();
  }

  const button = (
    <button
      ref={trigger}
      type="button"
      className="tl-value-button"
      aria-label={TEXT.actions(shown ?? value)}
      aria-haspopup="menu"
      tabIndex={inRow ? -1 : 0}
      onClick={(event) => {
        event.stopPropagation();
        if (opened === true) setOpened(false);
        else void open();
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
    />
  );
  return (
    <span className="tl-value">
      <span className="tl-value-text">{children}</span>
      {opened === undefined || ValueMenu === undefined ? (
        button
      ) : (
        <Menu
          opened={opened}
          onChange={change}
          position="bottom-start"
          shadow="md"
          returnFocus={false}
          {...(inRow ? OUTSIDE_ROW : {})}
        >
          <Menu.Target>{button}</Menu.Target>
          {/* Clicks in it are not clicks on the row. */}
          <Menu.Dropdown onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}>
            <ValueMenu {...{ name, value, list, subject }} />
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  );
}
