import { useState } from 'react';
import type { ServersFileReading } from '../../../preload/contract/servers-file.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api, useApp } from '../../api.ts';
import { useQuery } from '../../use-query.ts';
import { isOther } from './servers-file-dialog.tsx';

/** What main need not be asked. Its own `ok` would bring its schemas into the page. */
const nothing: Result<ServersFileReading[]> = { ok: true, value: [] };

/** Keeps which file of servers is shown, and which of those that servers came from say something else by now. */
export function useServersFile() {
  const { servers } = useApp();
  const [shown, setShown] = useState<ServersFileReading>();
  const paths = [...new Set(servers.flatMap(({ file }) => (file ? [file.path] : [])))].join('\n');
  // They are read when the room is opened and when another file came, and otherwise when a person asks.
  const { data = [], reload } = useQuery(async () => (paths === '' ? nothing : api.servers.readFiles()), paths);
  return {
    shown,
    show: setShown,
    close: () => setShown(undefined),
    others: data.filter(isOther),
    reload,
  };
}
