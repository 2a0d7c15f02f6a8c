import { Collapse, Text, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link, useRouterState } from '@tanstack/react-router';
import { may, type Profile } from '../api/session.ts';
import { Icon } from '../parts/icons.tsx';
import { sectionIcon } from './section-icons.ts';
import { GROUPS, useSections } from './sections.ts';
import { APP_TEXT } from './text.ts';
import { useWaitingCounts, type WaitingCount } from './waiting-counts.ts';

const TEXT = APP_TEXT.waiting;
const OPENED = 'trapline-administration-opened';
/** The last group, collapsed by default. It is for administrators, who rarely need it. */
const FOLDED = GROUPS.at(-1);

/**
 * Shows the sections that the user may see, by group, with the number of waiting items. The administration group
 * expands on demand, or if one of its pages is open.
 */
export function Navigation({ profile, onLeave }: { readonly profile: Profile; readonly onLeave: () => void }) {
  const sections = useSections().filter(({ role }) => may(profile, role));
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const waiting = useWaitingCounts(profile);
  const [opened, setOpened] = useLocalStorage({ key: OPENED, defaultValue: false, getInitialValueInEffect: false });

  return GROUPS.map((label) => {
    const entries = sections
      .filter(({ group }) => group === label)
      .map((section) => ({ ...section, active: path === section.to || path.startsWith(`${section.to}/`) }));
    if (entries.length === 0) return null;
    const links = entries.map(({ to, label: text, active }) => (
      <Link
        key={to}
        to={to}
        data-active={active ? '' : undefined}
        aria-current={active ? 'page' : undefined}
        onClick={onLeave}
        className="tl-nav-link"
      >
        <Icon name={sectionIcon(to)} />
        <span className="tl-nav-label">{text}</span>
        <Waiting path={to} found={waiting[to]} />
      </Link>
    ));
    if (label !== FOLDED)
      return (
        <nav key={label} aria-label={APP_TEXT.groups[label]}>
          <Text className="tl-nav-group">{APP_TEXT.groups[label]}</Text>
          {links}
        </nav>
      );
    const shown = opened || entries.some(({ active }) => active);
    return (
      <nav key={label} aria-label={APP_TEXT.groups[label]}>
        <UnstyledButton className="tl-nav-group" aria-expanded={shown} onClick={() => setOpened(!shown)}>
          {APP_TEXT.groups[label]} <Icon name="chevron" />
        </UnstyledButton>
        <Collapse expanded={shown} transitionDuration={0}>
          {links}
        </Collapse>
      </nav>
    );
  });
}

/** Shows the number of waiting items in a section. If the request was limited to one item, shows only a dot. */
function Waiting({ path, found }: { readonly path: string; readonly found: WaitingCount | undefined }) {
  if (found === undefined) return null;
  const dot = path === '/dead-letters';
  const text = found.more ? TEXT.more(found.count) : TEXT.count(found.count);
  return (
    <>
      <span className={dot ? 'tl-nav-dot' : 'tl-nav-count'} aria-hidden>
        {dot ? '' : text}
      </span>
      <span className="tl-screen-reader">{dot ? TEXT.some : TEXT.named(text)}</span>
    </>
  );
}
