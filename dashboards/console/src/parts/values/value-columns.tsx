import { Text } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import type { Column } from '../list/record-list.tsx';
import { RowEngaged } from '../list/row-engaged.ts';
import { PhoneLine } from '../phone-line.tsx';
import { columnText } from '../time/time-words.ts';
import { visible } from '../visible.ts';
import { type RowValue, RowValues, rowValuesColumn, shownValue } from './row-values.tsx';
import { ValueActions } from './value-actions.tsx';
import type { FilteredList } from './value-subject.ts';

/** A value of a cell. `label`: default is the column header. */
export type CellValue = Omit<RowValue, 'label'> & { readonly label?: string };

/** A column whose values have menus. */
export interface ValueColumn<Row> extends Omit<Column<Row>, 'header' | 'cell'> {
  readonly header: string;
  /** Returns one value or several. Several values share one menu, in which the user first selects a value. */
  readonly valuesOf: (row: Row) => CellValue | readonly CellValue[];
  /** Default: the displayed value. */
  readonly cell?: (row: Row) => ReactNode;
  /** Second line below the value, on a phone. */
  readonly phoneLine?: (row: Row) => ReactNode;
}

/** A time. `filter`: how it filters which list. Default: no filter. */
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
 * Returns the columns of a list with a menu per value, and for phones one menu with all values. `list`: the list that
 * values filter. Without it, they filter only the lists that they name. Columns without `valuesOf` are unchanged.
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
