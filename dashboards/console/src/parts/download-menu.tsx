import { Button, Menu } from '@mantine/core';
import { addressOf } from '../api/client.ts';

/** Formats of lines come whole, however much that is; JSON comes by the page: then the newest of them. */
const ALL = ['ndjson', 'csv', 'v1', 'ecs', 'cef', 'ocsf'] as const;
const PAGED = ['json'] as const;
const MOST = 1_000;
const NAMES: Readonly<Record<string, string>> = {
  json: 'JSON',
  ndjson: 'NDJSON',
  csv: 'CSV',
  v1: 'V1 events',
  ecs: 'ECS',
  cef: 'CEF',
  ocsf: 'OCSF',
};

/** Downloads what a list's filters choose, in any format the API writes. The files come from the API itself, so every digit is as it was. */
export function DownloadMenu({
  path,
  query,
  name,
  many = true,
}: {
  readonly path: string;
  readonly query: object;
  /** Of the file, without its ending. */
  readonly name: string;
  /** A list, not one record. */
  readonly many?: boolean;
}) {
  const item = (format: string, limit?: number) => (
    <Menu.Item
      key={format}
      component="a"
      href={addressOf(path, { query: { ...query, limit, format } })}
      download={`${name}.${format === 'v1' ? 'v1.ndjson' : format}`}
    >
      {NAMES[format]}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button size="compact-sm" variant="default">
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {many ? (
          <>
            <Menu.Label>All that the filters choose</Menu.Label>
            {ALL.map((format) => item(format))}
            <Menu.Label>The newest {MOST.toLocaleString()}</Menu.Label>
            {PAGED.map((format) => item(format, MOST))}
          </>
        ) : (
          [...PAGED, ...ALL].map((format) => item(format))
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
