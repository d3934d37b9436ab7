import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppState } from './api.ts';

/** Names the window after what it shows and, unless that is the built-in one, after the server. */
export function useWindowTitle(title: string): void {
  const { t } = useTranslation();
  const state = useAppState();
  const server = state?.servers.find(({ id }) => id === state.activeServerId);
  const where = server && !server.builtIn ? `${server.name} – ` : '';
  const windowTitle = `${title} – ${where}${t('app.name')}`;
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
}
