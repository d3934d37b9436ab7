import { type CSSVariablesResolver, createTheme, type MantineColorSchemeManager } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  colors: {
    ink: ['#f1f3fd', '#e8ebfa', '#ccd4f8', '#aab8ff', '#8c9cf0', '#6a7de2', '#4a5fd6', '#3346b8', '#2d3fa8', '#262e52'],
    red: ['#fdf3f2', '#fceae8', '#f8cfcb', '#ff948b', '#ee6c62', '#dc4a40', '#c8392f', '#b9261d', '#ad241c', '#3d1d1b'],
  },
  defaultRadius: 6,
  radius: { xs: '4px', sm: '4px', md: '6px', lg: '10px', xl: '12px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.3334', sm: '1.3847', md: '1.4286', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '26px', lineHeight: '32px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
      h4: { fontSize: '13px', lineHeight: '18px' },
    },
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Cantarell, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "SF Mono", "DejaVu Sans Mono", "Liberation Mono", monospace',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // Its placeholder is not allowed in a menu; without it the first item takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, radius: 10 } },
    // The asterisk would become part of the field's name, and every field of these forms is required.
    InputWrapper: { defaultProps: { withAsterisk: false, errorProps: { role: 'alert' } } },
    Modal: { defaultProps: { radius: 12 } },
    // Without animation: the selection is marked at once.
    SegmentedControl: { defaultProps: { size: 'xs', radius: 4, transitionDuration: 0, withItemsBorders: false } },
    Switch: { defaultProps: { withThumbIndicator: false } },
  },
});

const filled = (role: string) => ({ filled: `var(--${role}-fill)`, 'filled-hover': `var(--${role}-fill-hover)` });
const quiet = (role: string) => ({ light: `var(--${role}-soft)`, 'light-hover': `var(--${role}-soft)` });
const inks = {
  ink: { ...filled('accent'), ...quiet('accent'), 'light-color': 'var(--accent-text)', outline: 'var(--accent-text)' },
  red: { ...filled('bad'), ...quiet('bad'), 'light-color': 'var(--bad)', outline: 'var(--bad)' },
  gray: { 'light-color': 'var(--text-2)', 'light-hover': 'var(--hover)', outline: 'var(--text-2)' },
};

/** Maps Mantine's variables to the colours of `tokens.css`, which are for every scheme. */
const roles = {
  '--mantine-color-body': 'var(--canvas)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--edge)',
  ...Object.fromEntries(
    Object.entries(inks).flatMap(([ink, values]) =>
      Object.entries(values).map(([name, value]) => [`--mantine-color-${ink}-${name}`, value]),
    ),
  ),
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: roles, dark: roles });

const nothing = () => undefined;

/** Main stores the theme, so Mantine must not use `localStorage`. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (defaultValue) => defaultValue,
  set: nothing,
  subscribe: nothing,
  unsubscribe: nothing,
  clear: nothing,
};
