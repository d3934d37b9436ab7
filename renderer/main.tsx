import './trusted-types.ts';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { StrictMode, useEffect, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { api, useTheme, useWindowState } from './api.ts';
import { StartFailed } from './components/start-failed.tsx';
import { likelyLanguage, loadTexts, startI18n } from './i18n.ts';
import { LockedScreen } from './screens/locked/locked-screen.tsx';
import { Shell } from './shell/shell.tsx';
import { TextsProvider } from './texts.tsx';
import { colorSchemeManager, cssVariables, theme } from './theme.ts';

// Browsers hide the nonce from the attribute; the property still has it.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
setNonce(nonce);

/** Shows what main says of itself, or that nothing came of the start. */
function Window() {
  const state = useWindowState();
  // A frame is painted after its callbacks, so a task that they start runs once it is painted.
  useEffect(() => void requestAnimationFrame(() => setTimeout(() => void api.app.painted())), []);
  const isPresenting = state?.settings.presenting === true;
  useLayoutEffect(() => void document.documentElement.toggleAttribute('data-presenting', isPresenting), [isPresenting]);
  if (!state) return <StartFailed />;
  return state.locked ? <LockedScreen state={state} /> : <Shell state={state} />;
}

/** Gives the window its colours. It is rendered anew for another theme alone, since Mantine then writes all its variables. */
function Root() {
  const chosen = useTheme();
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
  const likely = likelyLanguage();
  // The font is there before the first frame, which would move when it came later.
  const [first] = await Promise.all([api.app.state(), document.fonts.load('14px Inter'), loadTexts(likely)]);
  const language = first.ok ? first.value.language : likely;
  const i18n = await startI18n(language);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <TextsProvider i18n={i18n}>
        <Root />
      </TextsProvider>
    </StrictMode>,
  );
}

void start();
