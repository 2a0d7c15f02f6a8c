import { type ReactNode, useState } from 'react';

/** A dialog that is made when it opens for the first time: most are never opened, and a closed one costs as much as a part of the page. */
export function OnceOpened({ opened, children }: { readonly opened: boolean; readonly children: ReactNode }) {
  const [made, setMade] = useState(opened);
  if (opened && !made) setMade(true);
  return made ? children : null;
}
