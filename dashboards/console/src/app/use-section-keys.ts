import { useNavigate } from '@tanstack/react-router';
import { may, type Profile } from '../api/session.ts';
import { useShortcuts } from '../parts/shortcuts.ts';
import { useSections } from './sections.ts';
import { APP_TEXT } from './text.ts';

/** Binds key sequences such as `g d` to the sections that the user may see. */
export function useSectionKeys(profile: Profile): void {
  const navigate = useNavigate();
  const sections = useSections();
  useShortcuts(
    sections
      .filter(({ role }) => may(profile, role))
      .map(({ keys, label, to }) => ({ keys, does: APP_TEXT.shortcuts.goTo(label), run: () => void navigate({ to }) })),
  );
}
