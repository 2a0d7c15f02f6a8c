import { type ReactNode, useState } from 'react';

/**
 * A dialog that is mounted when it first opens. Most dialogs are never opened, and a closed one takes as long to render
 * as a part of the page.
 */
export function OnceOpened({ opened, children }: { readonly opened: boolean; readonly children: ReactNode }) {
  const [made, setMade] = useState(opened);
  if (opened && !made) setMade(true);
  return made ? children : null;
}
