/**
 * The design tokens of the console: type, spacing, controls and colours. Components take them from the theme or from
 * the `--tl-…` variables of `theme.ts`. Pages define no other sizes or colours.
 */

/** Sizes of text, px: captions, lists and controls, running text, emphasized figures, large figures. */
export const TYPE_PX = { xs: 12, sm: 13, md: 14, lg: 16, xl: 20 } as const;

/** Sizes of headings, px: `h3` for a page, `h5` for a section, `h6` for a part of a section. */
export const HEADING_PX = { h1: 28, h2: 24, h3: 20, h4: 16, h5: 14, h6: 13 } as const;

/** Distances, px. */
export const SPACE_PX = { xs: 8, sm: 12, md: 16, lg: 24, xl: 32 } as const;

/**
 * The two heights of buttons, and the height of inputs, px. `compact` is for buttons in a line, a row or the head of a
 * section.
 */
export const CONTROL_PX = { regular: 32, compact: 26 } as const;

/** Width and height of an icon next to text, px. */
export const ICON_PX = 16;

const SANS = '"Inter Variable", "Inter Fallback Arial", "Inter Fallback DejaVu", system-ui, sans-serif';
const MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", "DejaVu Sans Mono", monospace';
/**
 * Font families. The fallbacks are system fonts with the metrics of Inter, so that nothing moves when Inter has loaded.
 */
export const FONTS = { sans: SANS, mono: MONO } as const;

/**
 * Greys of the dark scheme, from text to the darkest. 4 is for borders, 6 for inputs, 7 for the page. Panels are
 * between 6 and 7 (`--tl-panel`).
 */
export const DARK_GREYS = [
  '#e3e6ea',
  '#c5cbd2',
  '#a6aeb8',
  '#7d8590',
  '#363c45',
  '#2c3139',
  '#23272d',
  '#121417',
  '#0e1013',
  '#0a0b0d',
] as const;

/**
 * Colours with a contrast of at least 4.5:1 (WCAG 2.2 AA) with their text. Bars and dots of `…-mark` are next to a word
 * with the same meaning.
 */
export const LIGHT_COLORS = {
  '--mantine-color-body': '#f7f8fa',
  '--mantine-color-text': '#1b1f24',
  '--mantine-color-dimmed': '#535c66',
  '--mantine-color-placeholder': '#5f6770',
  '--mantine-color-error': '#c0211f',
  '--mantine-color-anchor': '#1b1f24',
  '--mantine-color-default-border': '#d9dde3',
  '--mantine-color-default-hover': '#f1f3f5',
  '--tl-border': '#e2e5ea',
  '--tl-panel': '#ffffff',
  '--tl-surface': '#f3f5f7',
  '--tl-row-hover': '#f3f5f8',
  '--tl-row-active': '#e8edff',
  '--tl-nav-active': '#e7eaef',
  '--tl-link-line': '#9aa3ae',
  '--tl-info': '#e7f5ff',
  '--tl-info-text': '#0b5394',
  '--tl-info-mark': '#8a94a0',
  '--tl-low': '#ebfbee',
  '--tl-low-text': '#1e6b2f',
  '--tl-low-mark': '#4c8fd6',
  '--tl-medium': '#fff3bf',
  '--tl-medium-text': '#6b4a00',
  '--tl-medium-mark': '#e0a100',
  '--tl-high': '#ffe8cc',
  '--tl-high-text': '#8a3600',
  '--tl-high-mark': '#ee7114',
  '--tl-critical': '#c92a2a',
  '--tl-critical-text': '#ffffff',
  '--tl-critical-mark': '#d92d2d',
  '--tl-good-mark': '#2f9e44',
} as const;

export const DARK_COLORS: Readonly<Record<keyof typeof LIGHT_COLORS, string>> = {
  '--mantine-color-body': DARK_GREYS[7],
  '--mantine-color-text': DARK_GREYS[0],
  '--mantine-color-dimmed': DARK_GREYS[2],
  '--mantine-color-placeholder': '#98a0aa',
  '--mantine-color-error': '#ff8787',
  '--mantine-color-anchor': DARK_GREYS[0],
  '--mantine-color-default-border': DARK_GREYS[4],
  '--mantine-color-default-hover': DARK_GREYS[5],
  '--tl-border': '#2a2f36',
  '--tl-panel': '#191c20',
  '--tl-surface': '#1f2328',
  '--tl-row-hover': '#20242a',
  '--tl-row-active': '#262d45',
  '--tl-nav-active': '#262b32',
  '--tl-link-line': '#6b7480',
  '--tl-info': '#10314d',
  '--tl-info-text': '#a5d8ff',
  '--tl-info-mark': '#7d8894',
  '--tl-low': '#12391d',
  '--tl-low-text': '#a9e8b6',
  '--tl-low-mark': '#5b9fe0',
  '--tl-medium': '#463800',
  '--tl-medium-text': '#ffe066',
  '--tl-medium-mark': '#e6b325',
  '--tl-high': '#4d2a05',
  '--tl-high-text': '#ffc078',
  '--tl-high-mark': '#f58231',
  '--tl-critical': '#a61e1e',
  '--tl-critical-text': '#ffffff',
  '--tl-critical-mark': '#f05252',
  '--tl-good-mark': '#51b566',
};

/** Text and line colours of charts, because a canvas cannot use CSS variables. */
export const CHART_COLORS = {
  light: { ink: '#535c66', grid: '#e6e9ed' },
  dark: { ink: '#a6aeb8', grid: '#2a2f36' },
} as const;

/** Font of the axes of charts. */
export const CHART_FONT = `${TYPE_PX.xs}px ${SANS}`;

/** Colours of chart series, in order. Each has a contrast of 3:1 on the panels of both schemes. */
export const SERIES_COLORS = ['#4c6ef5', '#e8590c', '#0ca678', '#d6336c'] as const;
