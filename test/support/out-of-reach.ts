import type { Page } from 'playwright-core';

/** Elements that a user operates. */
const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="switch"], [role="menuitem"], [role="row"][tabindex]';

/**
 * Returns what a user cannot reach on a page, one per line: a page wider than its window, lists with columns beyond their
 * edge, and controls that stay outside the window or behind another element after scrolling to them. Ignores visually
 * hidden controls for screen readers.
 */
export function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) {
      const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
      found.push('the page is ' + root.scrollWidth + ' wide, by ' + wide.slice(-1).map((one) => one.outerHTML.slice(0, 160)));
    }
    for (const list of document.querySelectorAll('[role="grid"]'))
      if (list.scrollWidth > list.clientWidth + 1) found.push('columns beyond the edge: ' + list.getAttribute('aria-label'));
    const nameOf = (one) => one.getAttribute('aria-label') ?? (one.textContent.trim().slice(0, 40) || one.outerHTML.slice(0, 120));
    for (const control of document.querySelectorAll(${JSON.stringify(CONTROLS)})) {
      if (!control.checkVisibility({ opacityProperty: false, visibilityProperty: true }) || control.closest('[inert], [aria-hidden="true"]')) continue;
      // The box of a checkbox is drawn by the element next to it.
      const shown = control.labels?.length > 0 && control.getBoundingClientRect().width < 4 ? control.labels[0] : control;
      shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { left, top, width, height } = shown.getBoundingClientRect();
      if (width < 2 || height < 2 || left + width < 0) continue;
      const [x, y] = [left + width / 2, top + height / 2];
      if (x < 0 || x > innerWidth || y < 0 || y > innerHeight) found.push('outside of the window: ' + nameOf(control));
      else {
        const hit = document.elementFromPoint(x, y);
        const same = hit !== null && (shown.contains(hit) || hit.contains(shown) || [...(control.labels ?? [])].some((label) => label.contains(hit)));
        if (!same) found.push('behind ' + hit?.outerHTML.slice(0, 120) + ': ' + nameOf(control));
      }
    }
    scrollTo(0, 0);
    return found;
  })()`);
}
