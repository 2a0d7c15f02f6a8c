import type { Writable } from 'node:stream';
import { Option } from 'commander';
import type { Format, FormatName } from '#analytics/formats/format.ts';
import { FORMATS } from '#analytics/formats/formats.ts';
import { createTable } from '#analytics/formats/table.ts';

/** The option `--output` with the formats of a command. */
export function outputOption(formats: readonly (FormatName | 'parquet')[]): Option {
  return new Option('--output <format>', 'output format').choices(formats).default('table');
}

/** Returns the format with this name. A table is as wide as the terminal. */
export function outputFormat(name: FormatName, stdout: Writable & { readonly columns?: number }): Format {
  return name === 'table' && stdout.columns !== undefined ? createTable(stdout.columns) : FORMATS[name];
}
