import { useEffect } from 'react';
import { useAppState } from './api.ts';
import { t } from './i18n.ts';

/** Names the window after what it shows and, unless that is the built-in one, after the server. */
export function useWindowTitle(title: string): void {
  const state = useAppState();
  const server = state?.servers.find(({ id }) => id === state.activeServerId);
  const where = server && !server.builtIn ? `${server.name} – ` : '';
  const windowTitle = `${title} – ${where}${t('app.name')}`;
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
}
