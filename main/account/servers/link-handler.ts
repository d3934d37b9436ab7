import { isPlainName, type Server } from '../../../preload/contract/models.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import type { Result } from '../../../preload/contract/result.ts';
import type { Dialogs, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { builtInId } from '../config/server-ids.ts';

const longestName = 100;

/**
 * Returns the name of the server in a link `llavero://server/NAME`, with what is encoded decoded. It is undefined
 * for every other text: a link has a name and nothing else, so that none can carry a secret or an address.
 */
export function parseServerLink(link: string): string | undefined {
  const [, encoded] = /^llavero:\/\/server\/([^/?#@\\\s]{1,1000})\/?$/i.exec(link) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const name = decodeURIComponent(encoded).trim();
    return name !== '' && name.length <= longestName && isPlainName(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Follows links to servers. Main's own dialog shows the host before anything changes; a link that leads nowhere gets a
 * sentence. While the application is locked a link does nothing.
 */
export function createLinkHandler(options: {
  servers: () => { listed: readonly Server[]; activeId: string };
  language: () => Language;
  isLocked: () => boolean;
  ask: (question: DialogQuestion) => Promise<Result<null>>;
  dialogs: Pick<Dialogs, 'showBadLink'>;
  choose: (id: string) => Promise<unknown>;
}) {
  const { servers, language, isLocked, ask, dialogs, choose } = options;
  let isOpen = false;

  async function follow(link: string): Promise<void> {
    const name = parseServerLink(link);
    if (name === undefined) return dialogs.showBadLink({ problem: 'not-a-link' }, language());
    const { listed, activeId } = servers();
    const server = listed.find((each) => each.name === name || (each.id === builtInId && name === builtInId));
    if (!server) return dialogs.showBadLink({ problem: 'unknown-server', name }, language());
    if (server.id === activeId) return;
    const agreed = await ask({ kind: 'open-link', name, baseUrl: server.baseUrl });
    if (agreed.ok) await choose(server.id);
  }

  return {
    /** One link at a time: those that come meanwhile are dropped. */
    async open(link: string): Promise<void> {
      if (isOpen || isLocked()) return;
      isOpen = true;
      await follow(link).finally(() => (isOpen = false));
    },
  };
}
