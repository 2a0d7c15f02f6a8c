import { AppShell, Burger, Group, NavLink, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useMediaQuery, useReducedMotion } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { may } from '../api/session.ts';
import { useShortcuts } from '../parts/shortcuts.ts';
import { AccountMenu } from './account-menu.tsx';
import { GROUPS, useSections } from './sections.ts';
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
  const [opened, { toggle, close }] = useDisclosure();
  const wide = useMediaQuery('(min-width: 48em)', true);
  const still = useReducedMotion();
  const [helping, help] = useDisclosure();
  const sections = useSections().filter(({ role }) => may(profile, role));
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useSectionKeys(profile);
  useShortcuts([{ keys: '?', does: APP_TEXT.shortcuts.show, run: help.open }]);

  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
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
            <img src="/icon.svg" alt="" width={26} height={26} />
            <Text fw={700}>{APP_TEXT.product}</Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <WaitingNotice />
            <UnstyledButton onClick={help.open} px={6} aria-label={APP_TEXT.shortcuts.title} visibleFrom="sm">
              <kbd>?</kbd>
            </UnstyledButton>
            <AccountMenu profile={profile} />
          </Group>
        </Group>
      </AppShell.Header>
      {/* Inert while hidden: otherwise the Tab key would reach its links. */}
      <AppShell.Navbar p="xs" inert={!opened && !wide} onKeyDown={({ key }) => key === 'Escape' && close()}>
        <ScrollArea type="auto" offsetScrollbars>
          {GROUPS.map((name) => {
            const seen = sections.filter(({ group }) => group === name);
            const label = APP_TEXT.groups[name];
            return seen.length === 0 ? null : (
              <nav key={name} aria-label={label}>
                <Text size="xs" fw={600} c="dimmed" px="xs" pt="sm" pb={2}>
                  {label}
                </Text>
                {seen.map((section) => {
                  const active = path === section.to || path.startsWith(`${section.to}/`);
                  return (
                    <NavLink
                      key={section.to}
                      component={Link}
                      to={section.to}
                      label={section.label}
                      active={active}
                      aria-current={active ? 'page' : undefined}
                      onClick={close}
                      py={5}
                    />
                  );
                })}
              </nav>
            );
          })}
        </ScrollArea>
      </AppShell.Navbar>
      {/* Inert on a phone while the open navigation covers it. */}
      <AppShell.Main id={MAIN} inert={opened && !wide}>
        <Outlet />
      </AppShell.Main>
      <ShortcutHelp opened={helping} onClose={help.close} />
      <SessionWatch />
    </AppShell>
  );
}
