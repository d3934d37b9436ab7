import { useCallback, useEffect, useState } from 'react';
import type { ContractRuns, RunUnderWay } from '../../../preload/contract/contract-runs.ts';
import type { AppError, Result } from '../../../preload/contract/result.ts';
import { api, onEvent } from '../../api.ts';

/** Adds to a run what an event brings. A result that came again takes the place of the one before. */
function withStep(runs: ContractRuns, step: RunUnderWay): ContractRuns {
  const known = runs.underWay;
  const isSame = known?.serverId === step.serverId && known.caseId === step.caseId;
  const results = new Map([...(isSame ? known.results : []), ...step.results].map((each) => [each.id, each]));
  return { ...runs, underWay: { ...step, results: [...results.values()] } };
}

/** Keeps the contract runs as main knows them, and why the last call failed, if it did. */
export function useContractRuns() {
  const [runs, setRuns] = useState<ContractRuns>();
  const [error, setError] = useState<AppError>();

  const take = useCallback((result: Result<ContractRuns>): boolean => {
    if (result.ok) setRuns(result.value);
    setError(result.ok ? undefined : result.error);
    return result.ok;
  }, []);

  useEffect(() => {
    let left = false;
    const read = async () => {
      const result = await api.contractRun.state();
      if (!left) take(result);
    };
    const unsubscribe = onEvent('contractRun.progressed', ({ underWay }) => {
      if (underWay) setRuns((known) => known && withStep(known, underWay));
      else void read();
    });
    void read();
    return () => {
      left = true;
      unsubscribe();
    };
  }, [take]);

  return { runs, error, take, fail: setError, dismiss: () => setError(undefined) };
}
