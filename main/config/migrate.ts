import { z } from 'zod';

/** `config.json` as version 0.1.0 wrote it: addresses without names, and at most one session for each. */
const Earlier = z.object({
  servers: z.array(z.object({ id: z.string(), baseUrl: z.string() })).catch([]),
  activeServerId: z.string().optional().catch(undefined),
  sessions: z
    .record(
      z.string(),
      z.object({ account: z.string(), baseUrl: z.string(), user: z.record(z.string(), z.unknown()) }).catch(() => ({
        account: '',
        baseUrl: '',
        user: {},
      })),
    )
    .catch({}),
});

/**
 * Returns what an earlier version wrote in today's form; undefined when there is nothing to do. The vault's entries
 * stay where they are, since a session says under which name its token rests.
 */
export function migrate(content: unknown, builtInId: string): Record<string, unknown> | undefined {
  if (typeof content !== 'object' || content === null || 'environments' in content) return undefined;
  if (!('servers' in content) && !('sessions' in content)) return undefined;
  const { servers, activeServerId, sessions } = Earlier.parse(content);
  const held = Object.entries(sessions).filter(([, { account }]) => account !== '');
  return {
    environments: [
      { id: builtInId, name: '', baseUrl: '' },
      ...servers.map(({ id, baseUrl }) => ({ id, name: nameOfAddress(baseUrl), baseUrl })),
    ],
    activeEnvironmentId: activeServerId,
    // There was one session for each server, so the server's id is as good as any other.
    sessions: Object.fromEntries(
      held.map(([id, session]) => [id, { ...session, id, environmentId: id, vaultAccount: session.account }]),
    ),
    currentSessions: Object.fromEntries(held.map(([id]) => [id, id])),
  };
}

/** Names a server of which only the address was given: by its host, and by its path if it has one. */
export function nameOfAddress(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '').slice(0, 100);
}
