import type { Handlers } from '../../../preload/contract/contract.ts';
import { ok } from '../../../preload/contract/result.ts';
import { ImportDraft } from '../../../preload/contract/import-draft.ts';
import { parseJson } from '../../interface/template.ts';
import type { ConfigStore } from '../config/config-store.ts';

/** An older one makes room. */
const most = 10;

/**
 * Handlers that keep what was found in a text and is not used yet: the description with its open questions, without the
 * text and without the values of variables. A server has one at most, and so has one that is not created yet.
 */
export function unfinishedImportHandlers(
  config: Pick<ConfigStore, 'get' | 'change'>,
): Pick<Handlers['interfaces'], 'importDraft' | 'saveImportDraft' | 'discardImportDraft'> {
  /** One that another version wrote is not offered. */
  const kept = (): ImportDraft[] =>
    config.get().unfinishedImports.flatMap((each) => ImportDraft.safeParse(each).data ?? []);
  const others = (serverId: string | undefined): ImportDraft[] => kept().filter((each) => each.serverId !== serverId);
  return {
    importDraft: ({ serverId }) => ok({ found: kept().find((each) => each.serverId === serverId) }),
    saveImportDraft({ json }) {
      const read = ImportDraft.safeParse(parseJson(json));
      if (!read.success) return ok(null);
      const unfinished = read.data;
      const isThere = ({ serverId }: ImportDraft): boolean =>
        serverId === undefined || config.get().servers.some(({ id }) => id === serverId);
      const all = [...others(unfinished.serverId), unfinished].filter(isThere);
      config.change({ unfinishedImports: all.slice(-most) });
      return ok(null);
    },
    discardImportDraft({ serverId }) {
      config.change({ unfinishedImports: others(serverId) });
      return ok(null);
    },
  };
}
