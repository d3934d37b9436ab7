import { type CSSVariablesResolver, createTheme, type MantineColorSchemeManager } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  // Shade 8 has a contrast of 5.9:1 with white text in both schemes.
  primaryShade: 8,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Cantarell, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", "Liberation Mono", monospace',
  components: {
    // Its placeholder is an element that a menu may not hold; without it the first item takes the focus.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // The asterisk would become part of the field's name, and every field of these forms is required.
    InputWrapper: { defaultProps: { withAsterisk: false, errorProps: { role: 'alert' } } },
  },
});

/** Mantine's own greys and reds have a contrast below 4.5:1 on our surfaces. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});

const nothing = () => undefined;

/** Main owns the theme, so nothing is kept in the page's storage. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (defaultValue) => defaultValue,
  set: nothing,
  subscribe: nothing,
  unsubscribe: nothing,
  clear: nothing,
};
