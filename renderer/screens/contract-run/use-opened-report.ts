import { useEffect, useRef, useState } from 'react';
import type { ContractRuns, OpenedReport } from '../../../preload/contract/contract-runs.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';

/** One run of a server. Without a number, it is the last. */
export interface RunOf {
  serverId: string;
  number?: number | undefined;
}

type Opened = OpenedReport & { serverId: string; number: number };

/** Keeps the report of an earlier run that was opened. What is accepted of it is asked for anew when `runs` change. */
export function useOpenedReport(runs: ContractRuns | undefined, onFailed: (error: AppError) => void) {
  const [opened, setOpened] = useState<Opened>();
  /** Counts what the person asked for, since answers may cross. */
  const asked = useRef(0);

  async function open(run: { serverId: string; number: number }): Promise<boolean> {
    asked.current += 1;
    const own = asked.current;
    const result = await api.contractRun.open(run);
    if (asked.current !== own) return false;
    if (result.ok) setOpened({ ...result.value, ...run });
    else onFailed(result.error);
    return result.ok;
  }

  useEffect(() => {
    if (!opened) return undefined;
    const { serverId, number } = opened;
    let isOld = false;
    void api.contractRun.open({ serverId, number }).then((result) => {
      if (isOld) return;
      // The person may have opened another one meanwhile. This one may have been deleted.
      setOpened((shown) =>
        shown?.serverId !== serverId || shown.number !== number
          ? shown
          : result.ok
            ? { ...result.value, serverId, number }
            : undefined,
      );
    });
    return () => {
      isOld = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- It follows what main says, and nothing else.
  }, [runs]);

  return {
    open,
    openedOf: ({ serverId, number }: RunOf): Opened | undefined =>
      opened?.serverId === serverId && opened.number === number ? opened : undefined,
  };
}
