import { useEffect } from 'react';
import type { UnfinishedImport } from '../../../preload/contract/unfinished-import.ts';
import { api } from '../../api.ts';
import { useQuery } from '../../use-query.ts';
import { readObject } from './found/description.ts';
import { guessesOf } from './found/part-marks.ts';
import type { Given, Import } from './use-import.ts';

/**
 * Keeps what was found for a server until it is used or discarded, and offers what was kept before.
 * @param serverId undefined for a server that is not created yet
 */
export function useUnfinished(serverId: string | undefined, given: Given | undefined, reads: Import) {
  const { data, reload } = useQuery(() => api.interfaces.unfinished({ serverId }), serverId);
  const kept = given && reads.found ? JSON.stringify(unfinishedOf(serverId, given, reads)) : undefined;
  useEffect(() => {
    if (kept === undefined) return;
    void api.interfaces.keepUnfinished({ json: kept }).then(() => reload());
  }, [kept, reload]);
  return {
    unfinished: given ? undefined : data?.found,
    drop: () => void api.interfaces.dropUnfinished({ serverId }).then(() => reload()),
  };
}

/** Returns what is kept: no text, no value of a variable, and nothing while the description cannot be read. */
function unfinishedOf(serverId: string | undefined, given: Given, { open, found, isSettled, openFaults }: Import) {
  const draft = open && readObject(open.text);
  // A call that is still to be added is what makes it unfinished.
  const isReadable = openFaults.every(
    ({ problem, at }) => problem === 'missing' && /^calls\.(?:login|profile)$/.test(at),
  );
  if (!open || !found || !draft || !isSettled || !isReadable) return undefined;
  const others = Object.entries(open.others).map(([name, options]) => [
    name,
    options.flatMap(({ call, from }) => (from === undefined ? [] : [{ call, from }])),
  ]);
  return {
    serverId,
    format: found.format,
    name: given.from === 'file' ? given.name : undefined,
    draft,
    parts: guessesOf(open).map(({ at, why }) => ({ at, why, is: 'guess' })),
    others: Object.fromEntries(others),
    addresses: open.addresses,
    address: open.address,
  };
}

/** Returns what was kept as if it had just been found. */
export const givenAgain = ({ address, name, ...unfinished }: UnfinishedImport): Given => ({
  from: 'file',
  name,
  finding: {
    kind: 'found',
    ...unfinished,
    ...(address !== '' && { address }),
    missing: [],
    shipped: [],
    possible: [],
    dropped: [],
  },
});
