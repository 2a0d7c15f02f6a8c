const DIALOG = '[role="dialog"][aria-modal="true"]';
/** What closes when a dialog opens: it cannot get the focus back. */
const TRANSIENT = `${DIALOG}, [role="menu"], [role="listbox"]`;

/**
 * Returns the focus to where it was when a dialog closes. The dialogs of the component library do so only when they were on the page before they
 * opened; most of ours are drawn when they open.
 */
export function returnFocusOfDialogs(): void {
  const openers = new WeakMap<Element, HTMLElement>();
  let outside: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target, relatedTarget }) => {
    if (!(target instanceof HTMLElement)) return;
    if (target.closest(TRANSIENT) === null) outside = target;
    const dialog = target.closest(DIALOG);
    if (dialog === null || openers.has(dialog)) return;
    // A dialog that was opened in a dialog: the focus comes from there.
    const within = relatedTarget instanceof HTMLElement && relatedTarget.closest(DIALOG) !== null;
    const opener = within ? relatedTarget : outside;
    if (opener === undefined) return;
    openers.set(dialog, opener);
    whenRemoved(dialog, () => {
      if (isNowhere(document.activeElement) && opener.isConnected) opener.focus({ preventScroll: true });
    });
  });
}

function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body;
}

function whenRemoved(element: Element, done: () => void): void {
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    done();
  });
  // The component library draws dialogs into a child of the body, its portal, which goes with the last of them.
  const portal = element.closest('[data-portal]');
  if (portal !== null) observer.observe(portal, { childList: true, subtree: true });
  observer.observe(document.body, { childList: true });
}
