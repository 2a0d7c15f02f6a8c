import { Button, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Profile, signOut } from '../api/session.ts';
import { keptLanguage, switchLanguage } from '../language/kept-language.ts';
import { isLanguage, LANGUAGES } from '../language/languages.ts';
import { once } from '../language/once.ts';
import { Icon } from '../parts/icons.tsx';
import { showFailure } from '../parts/show-failure.tsx';
import { PARTS_TEXT } from '../parts/text.ts';
import { chooseTimeZone, TIME_ZONES, type TimeZone, useTimeZone } from '../parts/time/time-zone.ts';
import { keepRole } from './kept-role.ts';
import { APP_TEXT } from './text.ts';

const TEXT = APP_TEXT.account;
/** Menu value for the language of the browser. */
const BROWSER = 'browser';
type Scheme = keyof typeof TEXT.schemes;
/** Name of the browser's time zone, such as `Europe/Berlin`. */
const localZone = once(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
const SCHEME_ICONS = { light: 'light', dark: 'dark', auto: 'screen' } as const;

export function AccountMenu({ profile }: { readonly profile: Profile }) {
  return (
    <Menu width={240} position="bottom-end" checkIcon={<Icon name="check" />}>
      <Menu.Target>
        <Button variant="default" maw="10rem" style={{ flexShrink: 0 }} leftSection={<Icon name="user" />}>
          <Text span inherit truncate>
            {profile.username}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <AccountItems profile={profile} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Items of the menu, rendered when it opens. */
function AccountItems({ profile }: { readonly profile: Profile }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const zone = useTimeZone();

  async function leave() {
    try {
      const leaves = await signOut(queries);
      keepRole(null);
      if (!leaves) await navigate({ to: '/sign-in', search: {} });
    } catch (error) {
      showFailure(error);
    }
  }

  return (
    <>
      <Menu.Label>{TEXT.facts(profile.email, PARTS_TEXT.roles[profile.role])}</Menu.Label>
      <Menu.Item component={Link} to="/profile" leftSection={<Icon name="user" />}>
        {TEXT.profile}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{TEXT.colours}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as Scheme)}>
        {Object.entries(TEXT.schemes).map(([scheme, label]) => (
          <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon name={SCHEME_ICONS[scheme as Scheme]} />}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Label>{TEXT.language}</Menu.Label>
      <Menu.RadioGroup
        value={keptLanguage() ?? BROWSER}
        onChange={(choice) => switchLanguage(isLanguage(choice) ? choice : null)}
      >
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <Menu.RadioItem key={language} value={language} lang={language}>
            {name}
          </Menu.RadioItem>
        ))}
        <Menu.RadioItem value={BROWSER}>{TEXT.browserLanguage}</Menu.RadioItem>
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Label>{TEXT.zone}</Menu.Label>
      <Menu.RadioGroup value={zone} onChange={(chosen) => chooseTimeZone(chosen as TimeZone, localStorage)}>
        {TIME_ZONES.map((one) => (
          <Menu.RadioItem key={one} value={one}>
            {TEXT.zones[one](localZone())}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item onClick={leave} leftSection={<Icon name="signOut" />}>
        {TEXT.signOut}
      </Menu.Item>
    </>
  );
}
