import { Menu } from '@mantine/core';
import { useState } from 'react';
import { Icon } from './icons.tsx';
import type { Column } from './record-list.tsx';
import { PARTS_TEXT } from './text.ts';
import type { Narrowing } from './value-filters.ts';
import type { ValuePage } from './value-page.ts';
import { type FilteredList, OUTSIDE_ROW, type ValueSubject } from './value-subject.ts';
import { visible } from './visible.ts';

const TEXT = PARTS_TEXT.value;

/** A value of a row, by the name of its filter. */
export interface RowValue {
  readonly name: string;
  readonly label: string;
  readonly value: string | number | null | undefined;
  /** Default: the value itself. */
  readonly shown?: string | number | null | undefined | (() => string);
  /** Default: a filter. */
  readonly by?: Narrowing | undefined;
  /** All values of the filter, where it takes a few known ones. */
  readonly among?: readonly string[] | undefined;
  /** Default: that of the column; null: it filters nothing. */
  readonly list?: FilteredList | null | undefined;
  /** Default: that of the row. */
  readonly subject?: ValueSubject | undefined;
  /** Of the record that the value names. */
  readonly page?: ValuePage | undefined;
}

/** A value as it is shown. */
export function shownValue({ shown, value }: Pick<RowValue, 'shown' | 'value'>): string {
  return visible(String((typeof shown === 'function' ? shown() : shown) ?? value ?? ''));
}

export interface RowValuesOptions<Row> {
  /** Without one, values filter nothing unless they say otherwise. */
  readonly list?: FilteredList | undefined;
  /** What the row is, for the name of the button. */
  readonly titleOf: (row: Row) => string;
  readonly valuesOf: (row: Row) => readonly RowValue[];
  readonly subjectOf?: ((row: Row) => ValueSubject) | undefined;
}

/** Loaded when the first menu is opened. */
let ValueMenu: typeof import('./value-menu.tsx')['ValueMenu'] | undefined;

/** A column for phones, which have neither room nor a pointer for a button next to each value: one button for all values of a row. */
export function rowValuesColumn<Row>({ list, titleOf, valuesOf, subjectOf }: RowValuesOptions<Row>): Column<Row> {
  return {
    id: 'values',
    header: <span className="tl-screen-reader">{TEXT.column}</span>,
    width: '2.5rem',
    phoneOnly: true,
    cell: (row) => <RowValues title={titleOf(row)} values={valuesOf(row)} list={list} subject={subjectOf?.(row)} />,
  };
}

/** First the values of a row or cell, then what can be done with the chosen one. */
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
  /** The button stands after the values of a cell. */
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
      {/* Clicks in it are not clicks on the row. */}
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
