import './trusted-types.ts';
import './styles.css';
import './styles/primitives.css';
import { Button, MantineProvider, Stack, Text } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { StrictMode, useEffect, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { api, AppContext, takeFirstState, useTheme, useWindowState } from './api.ts';
import { servedLanguage, loadI18n, loadTexts, setI18n, t, useCurrentLanguage } from './i18n.ts';
import { LockedScreen } from './screens/locked/locked-screen.tsx';
import { keepFocusInPage } from './focus-home.ts';
import { Shell } from './shell/shell.tsx';
import { colorSchemeManager, cssVariables, theme } from './theme.ts';

// Browsers hide the nonce from the attribute; the property still has it.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

function Window() {
  const state = useWindowState();
  // A frame is painted after its callbacks, so a task queued in one runs after the paint.
  useEffect(
    () =>
      void requestAnimationFrame(() =>
        setTimeout(() => {
          void api.app.painted();
        }),
      ),
    [],
  );
  const isPresenting = state?.settings.presenting === true;
  useLayoutEffect(() => void document.documentElement.toggleAttribute('data-presenting', isPresenting), [isPresenting]);
  if (!state) return <StartFailed />;
  if (state.locked) return <LockedScreen state={state} />;
  return (
    <AppContext value={state}>
      <Shell />
    </AppContext>
  );
}

/** Re-renders only for another theme or language, and every page with it. */
function Root() {
  const chosen = useTheme();
  useCurrentLanguage();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      {...(chosen === 'system' ? {} : { forceColorScheme: chosen })}
      getStyleNonce={() => nonce}
    >
      <Window />
    </MantineProvider>
  );
}

async function start(): Promise<void> {
  const served = servedLanguage();
  // The font is loaded before the first frame, since a late one would shift the layout.
  const [state] = await Promise.all([takeFirstState(), document.fonts.load('14px Inter'), loadTexts(served)]);
  setI18n(await loadI18n(state?.language ?? served));
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <Root />
    </StrictMode>,
  );
}

keepFocusInPage();
void start();

/** Shown if main sent no state. An `app.changed` event replaces it, too. */
function StartFailed() {
  return (
    <Stack component="main" align="center" justify="center" p="xl" flex={1}>
      <Text role="alert">{t('app.startFailed')}</Text>
      <Button onClick={() => void takeFirstState()}>{t('app.tryAgain')}</Button>
    </Stack>
  );
}
