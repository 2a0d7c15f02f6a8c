import { Button, Menu } from '@mantine/core';
import { addressOf } from '../../api/client.ts';
import { letterFilter } from './letter-filter.ts';
import type { LettersSearch } from './letters-search.ts';

const FORMATS = { ndjson: 'NDJSON', csv: 'CSV' } as const;

/** All dead letters that the filters choose, as a file; written by the API itself as it reads them. */
export function DownloadLinks({ search }: { readonly search: LettersSearch }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default">
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(FORMATS).map(([format, name]) => (
          <Menu.Item
            key={format}
            component="a"
            href={addressOf('/api/dead-letters', { query: { ...letterFilter(search, Date.now()), format } })}
            download={`dead-letters.${format}`}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
