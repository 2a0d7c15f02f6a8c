import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

/**
 * The link in a row of a list that opens the page of the row. A plain click is left to the row; with a key or another mouse button the browser
 * opens the link. Lists have many: it is lighter than `PageLink`.
 */
export function RowLink({
  to,
  label,
  children,
}: {
  readonly to: NavigateOptions;
  /** Its name, where the text alone does not say what is opened. */
  readonly label?: string;
  readonly children: ReactNode;
}) {
  const router = useRouter();
  function onClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) event.stopPropagation();
    else event.preventDefault();
  }
  return (
    <a
      href={router.buildLocation(to).href}
      aria-label={label}
      tabIndex={-1}
      className="tl-row-link"
      onClick={onClick}
      onPointerEnter={() => void router.preloadRoute(to)}
    >
      {children}
    </a>
  );
}
