import { Menu } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../icons.tsx';
import type { Column } from '../list/record-list.tsx';
import { PARTS_TEXT } from '../text.ts';
import { visible } from '../visible.ts';
import type { Narrowing } from './value-filters.ts';
import type { ValuePage } from './value-page.ts';
import { type FilteredList, OUTSIDE_ROW, type ValueSubject } from './value-subject.ts';

const TEXT = PARTS_TEXT.value;

/** A value of a row, with the name of its filter. */
export interface RowValue {
  readonly name: string;
  readonly label: string;
  readonly value: string | number | null | undefined;
  /** Default: the value itself. */
  readonly shown?: string | number | null | undefined | (() => string);
  /** Default: a filter. */
  readonly by?: Narrowing | undefined;
  /** All values of the filter, if they are a small fixed set. */
  readonly among?: readonly string[] | undefined;
  /** Default: the column's list. Null: it cannot be filtered. */
  readonly list?: FilteredList | null | undefined;
  /** Default: the row's subject. */
  readonly subject?: ValueSubject | undefined;
  /** Page of the record that the value identifies. */
  readonly page?: ValuePage | undefined;
}

/** Returns a value as displayed. */
export function shownValue({ shown, value }: Pick<RowValue, 'shown' | 'value'>): string {
  return visible(String((typeof shown === 'function' ? shown() : shown) ?? value ?? ''));
}

export interface RowValuesOptions<Row> {
  /** Without a list, values cannot be filtered unless they define one. */
  readonly list?: FilteredList | undefined;
  /** Returns the title of the row, for the name of the button. */
  readonly titleOf: (row: Row) => string;
  readonly valuesOf: (row: Row) => readonly RowValue[];
  readonly subjectOf?: ((row: Row) => ValueSubject) | undefined;
}

/** Loaded when the first menu opens. */
let ValueMenu: typeof import('./value-menu.tsx')['ValueMenu'] | undefined;

/**
 * A column for phones: one button with a menu for all values of a row. A phone has neither space nor a hovering pointer
 * for a button per value.
 */
export function rowValuesColumn<Row>({ list, titleOf, valuesOf, subjectOf }: RowValuesOptions<Row>): Column<Row> {
  return {
    id: 'values',
    header: <span className="tl-screen-reader">{TEXT.column}</span>,
    width: '2.5rem',
    phoneOnly: true,
    cell: (row) => <RowValues title={titleOf(row)} values={valuesOf(row)} list={list} subject={subjectOf?.(row)} />,
  };
}

/** Menu of a row or cell: first its values, then the actions on the selected value. */
export function RowValues({
  title,
  values,
  list,
  subject = {},
  inCell = false,
}: {
  readonly title: string;
  readonly values: readonly RowValue[];
  readonly list?: FilteredList | undefined;
  readonly subject?: ValueSubject | undefined;
  /** True if the button follows the values of a cell. */
  readonly inCell?: boolean;
}) {
  const [opened, setOpened] = useState<boolean>();
  const [at, setAt] = useState<number>();
  const shown = values.filter(({ value }) => value !== null && value !== undefined && value !== '');
  const chosen = shown.length === 1 ? shown[0] : at === undefined ? undefined : shown[at];
  if (shown.length === 0) return null;

  async function open() {
    ValueMenu ??= (await import('./value-menu.tsx')).ValueMenu;
    setAt(undefined);
    setOpened(true);
  }

  const button = (
    <button
      type="button"
      className={inCell ? 'tl-value-button' : 'tl-row-values'}
      aria-label={TEXT.actions(title)}
      aria-haspopup="menu"
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        if (opened === true) setOpened(false);
        else void open();
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
    >
      {!inCell && <Icon name="more" />}
    </button>
  );
  if (opened === undefined || ValueMenu === undefined) return button;
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      width="min(20rem, 90vw)"
      {...OUTSIDE_ROW}
    >
      <Menu.Target>{button}</Menu.Target>
      {/* Prevents clicks in the menu from reaching the row. */}
      <Menu.Dropdown
        className="tl-row-values-menu"
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
      >
        {chosen === undefined ? (
          shown.map((one, index) => (
            <Menu.Item key={`${one.name} ${one.value}`} closeMenuOnClick={false} onClick={() => setAt(index)}>
              {TEXT.named(one.label, shownValue(one))}
            </Menu.Item>
          ))
        ) : (
          <>
            <Menu.Label>{TEXT.named(chosen.label, shownValue(chosen))}</Menu.Label>
            <ValueMenu
              name={chosen.name}
              value={String(chosen.value ?? '')}
              by={chosen.by}
              among={chosen.among}
              page={chosen.page}
              list={chosen.list === null ? undefined : (chosen.list ?? list)}
              subject={chosen.subject ?? subject}
            />
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
