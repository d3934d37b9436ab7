import { type FormEvent, useEffect, useState } from 'react';
import type { RunOptions, RunPlan } from '../../../preload/contract/report-run.ts';
import type { WantedRun } from '../../../preload/contract/contract-runs.ts';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { serverName } from '../../server-name.ts';
import { useTexts } from '../../texts.tsx';
import { useAccountChoices } from './use-account-choices.ts';

export interface SetupProps {
  state: AppState;
  /** The server that the window uses. It is run until another one is chosen here. */
  serverId: string;
  options: RunOptions | undefined;
  onStart: (wanted: WantedRun) => void;
}

/** Keeps what is chosen for a run, and what main says such a run would send. */
export function useSetup({ state, serverId, options, onStart }: SetupProps) {
  const { t } = useTexts();
  const { servers, settings } = state;
  const [chosenId, setId] = useState<string>();
  // One that was chosen may have been deleted meanwhile.
  const id = servers.find((each) => each.id === chosenId)?.id ?? serverId;
  const [otherId, setOtherId] = useState('');
  const [variant, setVariant] = useState<RunOptions['variant']>(options?.variant ?? 'both');
  const [rate, setRate] = useState(String(settings.callsPerSecond));
  const [throttling, setThrottling] = useState(options?.throttling ?? false);
  const [races, setRaces] = useState(options?.races ?? false);
  const [plan, setPlan] = useState<RunPlan>();
  const choices = useAccountChoices(options);
  const { accounts, emailDomain } = choices;

  const typedRate = Number(rate.replace(',', '.'));
  const callsPerSecond = typedRate >= 0.1 && typedRate <= 100 ? typedRate : settings.callsPerSecond;
  useEffect(() => {
    let left = false;
    const wanted = { variant, callsPerSecond, throttling, races, accounts, bail: false };
    void api.contractRun.plan(wanted).then((result) => {
      if (!left && result.ok) setPlan(result.value);
    });
    return () => {
      left = true;
    };
  }, [variant, callsPerSecond, throttling, races, accounts]);

  const chosen = servers.find((each) => each.id === id);
  const builtIn = servers.find((each) => each.builtIn);
  const nameOf = (each: Server) => {
    const name = serverName(each, t);
    return each.production ? t('run.isProduction', { name }) : name;
  };
  const others = servers.filter((each) => each.id !== id && !each.production);
  const compareWith = others.find((each) => each.id === otherId)?.id;

  function start(wanted: string, compared?: string) {
    if (!choices.check()) return;
    if (callsPerSecond !== settings.callsPerSecond) void api.settings.change({ callsPerSecond });
    onStart({
      serverId: wanted,
      compareWith: compared,
      options: { variant, callsPerSecond, throttling, races, accounts, emailDomain, bail: false },
    });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    start(id, compareWith);
  }

  return {
    id,
    setId,
    chosen,
    builtIn,
    others,
    compareWith,
    setOtherId,
    variant,
    setVariant,
    rate,
    setRate,
    callsPerSecond,
    throttling,
    setThrottling,
    choices,
    races,
    setRaces,
    plan,
    nameOf,
    start,
    submit,
  };
}
