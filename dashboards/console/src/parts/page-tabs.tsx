import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { TabIcon } from './tab-icons.tsx';

/** Tabs of a page. The URL contains the open tab. Only the open tab is rendered. */
export function PageTabs<T extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly label: string; readonly content: () => ReactNode }[];
  readonly value: T;
  readonly onChange: (tab: T) => void;
}) {
  return (
    <Tabs value={value} onChange={(tab) => tab !== null && onChange(tab as T)} keepMounted={false}>
      <Tabs.List aria-label={label} mb="md">
        {tabs.map(({ id, label: text }) => (
          <Tabs.Tab key={id} value={id} leftSection={<TabIcon id={id} />}>
            {text}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id, content }) => (
        <Tabs.Panel key={id} value={id}>
          {id === value && content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
