import { Button, Menu } from '@mantine/core';
import { addressOf } from '../api/client.ts';
import { Icon } from './icons.tsx';
import { PARTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.download;

/**
 * Formats without a limit, which are streamed. Lists are also available as Parquet. JSON is limited to one page: the
 * latest records.
 */
const ALL = ['ndjson', 'csv', 'v1', 'ecs', 'cef', 'ocsf'] as const;
const WHOLE = ['parquet'] as const;
const PAGED = ['json'] as const;
const MAX_PAGED = 1_000;

interface DownloadProps {
  readonly path: string;
  readonly query: object;
  /** File name without its extension. */
  readonly name: string;
  /** True for a list, false for a single record. */
  readonly many?: boolean;
}

/**
 * Downloads the matching records of a list in any format of the API. The API writes the files, so the browser cannot
 * round numbers.
 */
export function DownloadMenu(props: DownloadProps) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />} className="tl-icon-on-phone">
          {TEXT.action}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Formats {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Items of the menu, rendered when it opens. */
function Formats({ path, query, name, many = true }: DownloadProps) {
  const item = (format: string, limit?: number) => (
    <Menu.Item
      key={format}
      component="a"
      href={addressOf(path, { query: { ...query, limit, format } })}
      download={`${name}.${format === 'v1' ? 'v1.ndjson' : format}`}
    >
      {TEXT.formats[format]}
    </Menu.Item>
  );
  if (!many) return [...PAGED, ...ALL].map((format) => item(format));
  return (
    <>
      <Menu.Label>{TEXT.all}</Menu.Label>
      {[...ALL, ...WHOLE].map((format) => item(format))}
      <Menu.Label>{TEXT.latest(MAX_PAGED)}</Menu.Label>
      {PAGED.map((format) => item(format, MAX_PAGED))}
    </>
  );
}
