import { Way } from '../../preload/contract/connection.ts';
import type { Server } from '../../preload/contract/models.ts';

/** The way by which a server is reached now. */
export function wayOf({ connection, pins }: Pick<Server, 'connection' | 'pins'>): Way {
  const { proxy, authority, clientCertificate } = connection;
  return { proxy, authority, clientCertificate, pins };
}

/** The same text for the same way. */
export const wayText = (way: Way): string => JSON.stringify(Way.parse(way));
