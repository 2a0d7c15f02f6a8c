import { ActionIcon, AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure, useMediaQuery, useReducedMotion } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { Icon } from '../parts/icons.tsx';
import { OnceOpened } from '../parts/once-opened.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useTimeZone } from '../parts/time/time-zone.ts';
import { AccountMenu } from './account-menu.tsx';
import { Navigation } from './navigation.tsx';
import { SessionWatch } from './session-watch.tsx';
import { ShortcutHelp } from './shortcut-help.tsx';
import { APP_TEXT } from './text.ts';
import { useProfile } from './use-profile.ts';
import { useSectionKeys } from './use-section-keys.ts';
import { WaitingNotice } from './waiting-notice.tsx';

const MAIN = 'main';

/** The frame of every page: navigation by role, account menu, keyboard shortcuts. */
export function Shell() {
  const profile = useProfile();
  const zone = useTimeZone();
  const [opened, { toggle, close }] = useDisclosure();
  const wide = useMediaQuery('(min-width: 48em)', true);
  const still = useReducedMotion();
  const [helping, help] = useDisclosure();
  useSectionKeys(profile);
  useShortcuts([{ keys: '?', does: APP_TEXT.shortcuts.show, run: help.open }]);

  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
      transitionDuration={still ? 0 : 200}
    >
      <a className="tl-skip" href={`#${MAIN}`}>
        {APP_TEXT.skip}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={APP_TEXT.navigation}
              aria-expanded={opened}
            />
            <img src="/icon.svg" alt="" width={24} height={24} />
            <Text fw={600}>{APP_TEXT.product}</Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <WaitingNotice />
            {zone === 'utc' && (
              <Text size="xs" c="dimmed">
                {APP_TEXT.inUtc}
              </Text>
            )}
            <ActionIcon
              onClick={help.open}
              variant="subtle"
              color="gray"
              c="dimmed"
              aria-label={APP_TEXT.shortcuts.title}
              visibleFrom="sm"
            >
              <Icon name="keyboard" />
            </ActionIcon>
            <AccountMenu profile={profile} />
          </Group>
        </Group>
      </AppShell.Header>
      {/* Inert while hidden. Otherwise, the Tab key would reach its links. */}
      <AppShell.Navbar p="xs" inert={!opened && !wide} onKeyDown={({ key }) => key === 'Escape' && close()}>
        <ScrollArea type="auto" scrollbarSize={6} offsetScrollbars>
          <Navigation profile={profile} onLeave={close} />
        </ScrollArea>
      </AppShell.Navbar>
      {/* Inert on a phone while the open navigation covers it. */}
      <AppShell.Main id={MAIN} inert={opened && !wide}>
        <Outlet />
      </AppShell.Main>
      <OnceOpened opened={helping}>
        <ShortcutHelp opened={helping} onClose={help.close} />
      </OnceOpened>
      <SessionWatch />
    </AppShell>
  );
}
