import { Menu } from '@mantine/core';
import { type ReactNode, useContext, useRef, useState } from 'react';
import { RowEngaged } from '../list/row-engaged.ts';
import { PARTS_TEXT } from '../text.ts';
import type { Narrowing } from './value-filters.ts';
import type { ValuePage } from './value-page.ts';
import { type FilteredList, OUTSIDE_ROW, type ValueSubject } from './value-subject.ts';

const TEXT = PARTS_TEXT.value;

/** Loaded when the first menu opens. */
let ValueMenu: typeof import('./value-menu.tsx')['ValueMenu'] | undefined;

/**
 * A value with a menu: filter for it, filter it out, copy it, open its host or program, show related events. In a row,
 * its button appears when the row is hovered or focused, and the left and right arrow keys reach it.
 */
export function ValueActions({
  name,
  value,
  shown = value,
  list,
  by,
  title,
  among,
  subject = {},
  page,
  inRow = false,
  asButton = false,
  children,
}: {
  /** Name of the filter or search field. */
  readonly name: string;
  readonly value: string | number | null | undefined;
  /** The value as displayed, for the name of the button. */
  readonly shown?: string | number | null | undefined | (() => string);
  /** Without a list, the value cannot be filtered. */
  readonly list?: FilteredList | undefined;
  /** Default: a filter. */
  readonly by?: Narrowing | undefined;
  /** Title of the menu, if the value alone does not show what is filtered. */
  readonly title?: string;
  /** All values of the filter, if they are a small fixed set. */
  readonly among?: readonly string[] | undefined;
  readonly subject?: ValueSubject | undefined;
  /** Page of the record that the value identifies. */
  readonly page?: ValuePage | undefined;
  /** True in a row of a list. The row is a single stop of the tab key. */
  readonly inRow?: boolean;
  /** Makes the value itself the button, for many adjacent values. */
  readonly asButton?: boolean;
  readonly children: ReactNode;
}) {
  const [opened, setOpened] = useState<boolean>();
  const trigger = useRef<HTMLButtonElement>(null);
  const engaged = useContext(RowEngaged);
  if (value === null || value === undefined || value === '') return children;

  async function open() {
    ValueMenu ??= (await import('./value-menu.tsx')).ValueMenu;
    setOpened(true);
  }

  function change(isOpen: boolean) {
    setOpened(isOpen);
    if (!isOpen) trigger.current?.focus();
  }

  const button = (engaged || opened !== undefined) && (
    <button
      ref={trigger}
      type="button"
      className={asButton ? 'tl-value-word' : 'tl-value-button'}
      aria-label={TEXT.actions(String((typeof shown === 'function' ? shown() : shown) ?? value))}
      aria-haspopup="menu"
      tabIndex={inRow ? -1 : 0}
      onClick={(event) => {
        event.stopPropagation();
        if (opened === true) setOpened(false);
        else void open();
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
    >
      {asButton && children}
    </button>
  );
  return (
    <>
      {!asButton && <span className="tl-value">{children}</span>}
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
          {/* Prevents clicks in the menu from reaching the row. */}
          <Menu.Dropdown onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}>
            <ValueMenu {...{ name, value: String(value), list, by, title, among, subject, page }} />
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}
