import type { Page } from 'playwright-core';

/**
 * Returns the contrast ratio (WCAG 2.2) between each text in the first element of this CSS selector and its background,
 * as rendered by the browser.
 */
export async function contrastsOf(page: Page, selector: string): Promise<number[]> {
  const pairs = (await page.evaluate(`(${READ_COLOURS})(document.querySelector(${JSON.stringify(selector)}))`)) as {
    readonly text: string;
    readonly behind: string;
  }[];
  return pairs.map(({ text, behind }) => {
    const [light = 0, dark = 0] = [luminance(text), luminance(behind)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  });
}

const READ_COLOURS = `(root) => {
  const found = [];
  for (const part of [root, ...root.querySelectorAll('*')]) {
    const own = [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
    if (!own) continue;
    let behind = part;
    while (behind !== null && /^(transparent|rgba\\(.*, 0\\))$/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    found.push({ text: getComputedStyle(part).color, behind: behind === null ? 'rgb(255, 255, 255)' : getComputedStyle(behind).backgroundColor });
  }
  return found;
}`;

function luminance(colour: string): number {
  const match = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour);
  if (match === null) throw new Error(`cannot compute the luminance of ${colour}: an opaque rgb() is expected`);
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
