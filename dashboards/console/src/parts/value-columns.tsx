import { Text } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { PhoneLine } from './phone-line.tsx';
import type { Column } from './record-list.tsx';
import { RowEngaged } from './row-engaged.ts';
import { type RowValue, RowValues, rowValuesColumn, shownValue } from './row-values.tsx';
import { columnText } from './time-words.ts';
import { ValueActions } from './value-actions.tsx';
import type { FilteredList } from './value-subject.ts';
import { visible } from './visible.ts';

/** A value of a cell. `label`: default the header of its column. */
export type CellValue = Omit<RowValue, 'label'> & { readonly label?: string };

/** A column whose values have menus. */
export interface ValueColumn<Row> extends Omit<Column<Row>, 'header' | 'cell'> {
  readonly header: string;
  /** Several values have one menu, which asks first for which of them it is. */
  readonly valuesOf: (row: Row) => CellValue | readonly CellValue[];
  /** Default: the value as it is shown. */
  readonly cell?: (row: Row) => ReactNode;
  /** Below the value, on a phone. */
  readonly phoneLine?: (row: Row) => ReactNode;
}

/** A time. `filter`: how it narrows which list; default: no filter is about it. */
export function timeValue<const Filter extends Pick<CellValue, 'by' | 'list'> = { readonly list: null }>(
  name: string,
  at: string | null,
  filter?: Filter,
) {
  return {
    name,
    value: at,
    shown: () => (at === null ? '' : columnText(new Date(at))),
    ...(filter ?? ({ list: null } as Filter)),
  };
}

/**
 * The columns of a list, each value with its menu, and for phones one menu with all of them. `list`: the list that values filter; without one
 * they filter only the lists that they name. Columns without `valuesOf` stay as they are.
 */
export function valueColumns<Row>(
  { list, titleOf }: { readonly list?: FilteredList; readonly titleOf: (row: Row) => string },
  columns: readonly (ValueColumn<Row> | Column<Row>)[],
): readonly Column<Row>[] {
  const withValues = columns.filter((column) => 'valuesOf' in column);
  return [
    ...columns.map((column) => ('valuesOf' in column ? withMenu(column, list) : column)),
    rowValuesColumn<Row>({
      list,
      titleOf: (row) => visible(titleOf(row)),
      valuesOf: (row) => withValues.flatMap((column) => labelled(column, row)),
    }),
  ];
}

function withMenu<Row>(column: ValueColumn<Row>, list: FilteredList | undefined): Column<Row> {
  const { valuesOf: _, cell, phoneLine, ...rest } = column;
  return {
    ...rest,
    cell: (row) => {
      const values = labelled(column, row);
      const content = cell === undefined ? values.map(shownValue).join(', ') : cell(row);
      const value = (
        <CellMenu values={values} list={list}>
          {typeof content === 'string' ? visible(content) : content}
        </CellMenu>
      );
      if (phoneLine === undefined) return value;
      return (
        <>
          <Text size="sm" truncate lh={1.25} component="div">
            {value}
          </Text>
          <PhoneLine>{phoneLine(row)}</PhoneLine>
        </>
      );
    },
  };
}

function labelled<Row>({ header, valuesOf }: ValueColumn<Row>, row: Row): readonly RowValue[] {
  const values = valuesOf(row);
  return [values].flat().map((value) => ({ label: header, ...value }));
}

function CellMenu({
  values,
  list,
  children,
}: {
  readonly values: readonly RowValue[];
  readonly list: FilteredList | undefined;
  readonly children: ReactNode;
}) {
  const engaged = useContext(RowEngaged);
  const [only] = values;
  if (only !== undefined && values.length === 1)
    return (
      <ValueActions {...only} list={only.list === null ? undefined : (only.list ?? list)} inRow>
        {children}
      </ValueActions>
    );
  return (
    <>
      <span className="tl-value">{children}</span>
      {engaged && <RowValues title={values.map(shownValue).join(', ')} values={values} list={list} inCell />}
    </>
  );
}
