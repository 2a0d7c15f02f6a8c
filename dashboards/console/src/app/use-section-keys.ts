import { useNavigate } from '@tanstack/react-router';
import { may, type Profile } from '../api/session.ts';
import { useShortcuts } from '../parts/shortcuts.ts';
import { SECTIONS } from './sections.ts';

/** `g d` and the like lead to the sections that this person sees. */
export function useSectionKeys(profile: Profile): void {
  const navigate = useNavigate();
  useShortcuts(
    SECTIONS.flatMap(({ sections }) => sections)
      .filter(({ role }) => may(profile, role))
      .map(({ keys, label, to }) => ({ keys, does: `Go to ${label}`, run: () => void navigate({ to }) })),
  );
}
