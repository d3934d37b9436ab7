import { useEffect } from 'react';
import { useAppState } from './api.ts';
import { t } from './i18n.ts';

/** Sets the window title to the page and, unless it is the built-in one, the server. */
export function useWindowTitle(title: string): void {
  const state = useAppState();
  const server = state?.servers.find(({ id }) => id === state.activeServerId);
  const where = server && !server.builtIn ? `${server.name} – ` : '';
  const windowTitle = `${title} – ${where}${t('app.name')}`;
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
}
