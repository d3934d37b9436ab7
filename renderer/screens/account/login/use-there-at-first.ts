import { useState } from 'react';

/**
 * Says whether something was there when the form of this server was first shown. Only that may stand above the fields,
 * since what comes later would push them down.
 */
export function useThereAtFirst(serverId: string, isThere: boolean): boolean {
  const [first, setFirst] = useState({ serverId, isThere });
  if (first.serverId === serverId) return first.isThere;
  setFirst({ serverId, isThere });
  return isThere;
}
