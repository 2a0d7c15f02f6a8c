import { Button, type CSSVariablesResolver, createTheme, Input, rem } from '@mantine/core';
import {
  CONTROL_PX,
  DARK_COLORS,
  DARK_GREYS,
  FONTS,
  HEADING_PX,
  LIGHT_COLORS,
  SPACE_PX,
  TYPE_PX,
} from '../parts/tokens.ts';

const sizes = <Name extends string>(px: Readonly<Record<Name, number>>) =>
  Object.fromEntries(Object.entries<number>(px).map(([name, value]) => [name, rem(value)])) as Record<Name, string>;

/** Makes the title of a dialog bolder than its labels. */
const DIALOG_STYLES = { title: { fontWeight: 600 } };

/** Applies the scale of `tokens.ts` to the component library. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  colors: { dark: DARK_GREYS },
  fontFamily: FONTS.sans,
  fontFamilyMonospace: FONTS.mono,
  fontSizes: sizes(TYPE_PX),
  spacing: sizes(SPACE_PX),
  defaultRadius: 'sm',
  radius: { sm: rem(6) },
  cursorType: 'pointer',
  focusRing: 'auto',
  headings: {
    fontWeight: '600',
    sizes: Object.fromEntries(
      Object.entries(HEADING_PX).map(([name, px]) => [name, { fontSize: rem(px), lineHeight: '1.35' }]),
    ),
  },
  respectReducedMotion: true,
  components: {
    // Two heights: default and `compact`. The small sizes of the library count as `compact`.
    Button: Button.extend({
      vars: (_theme, { size }) => {
        const compact = size === 'xs' || size === 'compact' || size === 'compact-xs' || size === 'compact-sm';
        return {
          root: {
            '--button-height': rem(compact ? CONTROL_PX.compact : CONTROL_PX.regular),
            '--button-padding-x': rem(compact ? SPACE_PX.xs : SPACE_PX.sm),
            '--button-fz': rem(compact ? TYPE_PX.xs : TYPE_PX.sm),
          },
        };
      },
    }),
    Input: Input.extend({
      vars: () => ({
        wrapper: { '--input-height': rem(CONTROL_PX.regular), '--input-fz': rem(TYPE_PX.sm) } as never,
      }),
    }),
    // Labels of filters and forms have one size, whatever the size of the input.
    InputWrapper: Input.Wrapper.extend({
      styles: { label: { fontSize: rem(TYPE_PX.xs) }, description: { fontSize: rem(TYPE_PX.xs) } },
    }),
    // Without a portal, a menu stays inside its landmark. The focus placeholder is invalid inside a menu, so the first
    // item gets the focus.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    // The title of a dialog is in a `header`, which outside of sections would be the banner of the whole page.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } }, styles: DIALOG_STYLES },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } }, styles: DIALOG_STYLES },
    // A `span` without a role must not have a name: screen readers ignore it.
    Loader: { defaultProps: { role: 'progressbar' } },
    // Otherwise, a long scrolling line widens the body beyond the alert.
    Alert: { styles: { body: { minWidth: 0 } } },
    // The default grey of the message has a contrast of only 3.3:1.
    Notification: { styles: { description: { color: 'var(--mantine-color-text)' } } },
    // The browser's default margin would misalign it with the elements above.
    Fieldset: { defaultProps: { mx: 0 } },
    // Its labels fade even with reduced motion, and cannot be read during the transition.
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...LIGHT_COLORS },
  dark: { ...DARK_COLORS },
});
