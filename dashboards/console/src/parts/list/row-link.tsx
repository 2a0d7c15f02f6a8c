import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

/**
 * A link in a row that opens the row's page. The row handles a plain click. With a modifier key or another mouse
 * button, the browser opens the link. It renders faster than `PageLink`, because lists have many of them.
 */
export function RowLink({
  to,
  label,
  children,
}: {
  readonly to: NavigateOptions;
  /** Accessible name, if the text alone does not describe the target. */
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
