import { Button, Menu } from '@mantine/core';
import { addressOf } from '../../api/client.ts';
import { Icon } from '../../parts/icons.tsx';
import { letterFilter } from './letter-filter.ts';
import type { LettersSearch } from './letters-search.ts';
import { DEAD_LETTERS_TEXT } from './text.ts';

/** Downloads all matching dead letters. The API streams the file. */
export function DownloadLinks({ search }: { readonly search: LettersSearch }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" />} className="tl-icon-on-phone">
          {DEAD_LETTERS_TEXT.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(DEAD_LETTERS_TEXT.formats).map(([format, name]) => (
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
