import { useState } from 'react';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { api, currentAppState } from '../../api.ts';
import { serverName } from '../../server-name.ts';
import { useTexts } from '../../texts.tsx';
import { useAttempt } from '../../use-attempt.ts';

export type ServerActions = ReturnType<typeof useServerActions>;

/**
 * Does what can be done with servers from their room, one thing at a time, and keeps how the last one ended.
 * @param onMade called with the id of a server that was not there before
 */
export function useServerActions({ activeServerId }: AppState, onMade: (id: string) => void) {
  const { t } = useTexts();
  const attempt = useAttempt(activeServerId);
  const [said, setSaid] = useState('');

  /** Returns the servers that were not there before, or undefined if it failed. These read the newest state of main. */
  async function make(call: Parameters<typeof attempt.run>[0]): Promise<Server[] | undefined> {
    setSaid('');
    const before = new Set(currentAppState()?.servers.map(({ id }) => id));
    const result = await attempt.run(call);
    return result?.ok ? currentAppState()?.servers.filter(({ id }) => !before.has(id)) : undefined;
  }

  return {
    failure: attempt.failure,
    said,
    dismiss: () => {
      setSaid('');
      attempt.dismiss();
    },
    use: (server: Server): void => void make(() => api.servers.choose({ id: server.id })),
    duplicate: async (server: Server): Promise<void> => {
      const made = await make(() => api.servers.duplicate({ id: server.id }));
      if (made?.[0]) onMade(made[0].id);
    },
    move: async (server: Server, by: -1 | 1): Promise<void> => {
      if (!(await make(() => api.servers.move({ id: server.id, by })))) return;
      const servers = currentAppState()?.servers ?? [];
      const place = servers.findIndex(({ id }) => id === server.id) + 1;
      setSaid(t('server.moved', { name: serverName(server, t), place, all: servers.length }));
    },
    importFile: async (): Promise<void> => {
      const made = await make(api.servers.importFile);
      if (made) setSaid(made.length === 0 ? t('server.nothingNew') : t('server.imported', { number: made.length }));
    },
    exportFile: (): void => void make(api.servers.exportFile),
    importModel: async (): Promise<void> => {
      const made = await make(api.doubles.importModel);
      if (made?.[0]) onMade(made[0].id);
    },
    exportModel: (server: Server): void => void make(() => api.doubles.exportModel({ id: server.id })),
    /** What it comes to stands in the page of the double. */
    measureAgain: (server: Server): void => void api.doubles.measureAgain({ id: server.id }),
  };
}
