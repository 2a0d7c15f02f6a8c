import { Button, Menu } from '@mantine/core';
import { addressOf } from '../api/client.ts';
import { Icon } from './icons.tsx';
import { PARTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.download;

/** Formats of lines and Parquet, which only lists have, are streamed without limit; JSON is limited to one page: the latest records. */
const ALL = ['ndjson', 'csv', 'v1', 'ecs', 'cef', 'ocsf'] as const;
const WHOLE = ['parquet'] as const;
const PAGED = ['json'] as const;
const MAX_PAGED = 1_000;

interface DownloadProps {
  readonly path: string;
  readonly query: object;
  /** Name of the file without its extension. */
  readonly name: string;
  /** A list, not one record. */
  readonly many?: boolean;
}

/** Downloads the matching records of a list in any format of the API. The API writes the files, so no digit is lost in the browser. */
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

/** The items of the menu, which are made when it opens. */
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
