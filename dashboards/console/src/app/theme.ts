import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/** Colours that reach a contrast of 4.5 to 1 (WCAG 2.2 AA) in both schemes; system fonts, so that nothing is fetched. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  focusRing: 'auto',
  headings: { fontWeight: '650' },
  respectReducedMotion: true,
  components: {
    // Their title stands in a `header`; outside of sections that is the banner of the whole page.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    // A `span` without a role may not have a name: screen readers pass over it.
    Loader: { defaultProps: { role: 'progressbar' } },
    // Otherwise a long line that scrolls widens the body beyond the alert.
    Alert: { styles: { body: { minWidth: 0 } } },
    // The default grey of the message has a contrast of 3.3:1.
    Notification: { styles: { description: { color: 'var(--mantine-color-text)' } } },
    // Its labels fade even with reduced motion, and are unreadable during the transition.
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#495057',
    '--mantine-color-placeholder': '#5c636a',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#3b5bdb',
    '--tl-info': '#e7f5ff',
    '--tl-info-text': '#0b5394',
    '--tl-low': '#ebfbee',
    '--tl-low-text': '#1e6b2f',
    '--tl-medium': '#fff3bf',
    '--tl-medium-text': '#6b4a00',
    '--tl-high': '#ffe8cc',
    '--tl-high-text': '#8a3600',
    '--tl-critical': '#c92a2a',
    '--tl-critical-text': '#ffffff',
    '--tl-surface': '#f8f9fa',
    '--tl-row-active': '#e7ebff',
  },
  dark: {
    '--mantine-color-dimmed': '#b4b8bd',
    '--mantine-color-placeholder': '#9a9fa5',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    '--tl-info': '#10314d',
    '--tl-info-text': '#a5d8ff',
    '--tl-low': '#12391d',
    '--tl-low-text': '#a9e8b6',
    '--tl-medium': '#463800',
    '--tl-medium-text': '#ffe066',
    '--tl-high': '#4d2a05',
    '--tl-high-text': '#ffc078',
    '--tl-critical': '#a61e1e',
    '--tl-critical-text': '#ffffff',
    '--tl-surface': '#1f1f1f',
    '--tl-row-active': '#2a2f4a',
  },
});
