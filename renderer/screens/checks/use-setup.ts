import { type FormEvent, useEffect, useState } from 'react';
import type { RunOptions, RunPlan } from '../../../preload/contract/report.ts';
import type { WantedRun } from '../../../preload/contract/contract-runs.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { serverName } from '../../server-name.ts';
import { accountLimits, emailDomainPattern, longestEmailDomain } from '../../../preload/contract/names.ts';
import { t } from '../../i18n.ts';

export interface SetupProps {
  /** The server that the window uses. It is run until another one is chosen here. */
  serverId: string;
  options: RunOptions | undefined;
  onStart: (wanted: WantedRun) => void;
}

/** Keeps what is chosen for a run, and what main says such a run would send. */
export function useSetup({ serverId, options, onStart }: SetupProps) {
  const { servers, settings } = useApp();
  const [chosenId, setId] = useState<string>();
  // One that was chosen may have been deleted meanwhile.
  const id = servers.find((each) => each.id === chosenId)?.id ?? serverId;
  const [otherId, setOtherId] = useState('');
  // Where accounts are made in one way or elsewhere, there is nothing to choose.
  const isVariantAsked = (servers.find((each) => each.id === id)?.interface.registrations.length ?? 2) > 1;
  const [chosenVariant, setVariant] = useState<RunOptions['variant']>(options?.variant ?? 'both');
  const variant = isVariantAsked ? chosenVariant : 'both';
  const [rate, setRate] = useState(String(settings.callsPerSecond));
  const [throttling, setThrottling] = useState(options?.throttling ?? false);
  const [races, setRaces] = useState(options?.races ?? false);
  const [plan, setPlan] = useState<RunPlan>();
  const choices = useAccountChoices(options);
  const { accounts, emailDomain } = choices;

  const others = servers.filter((each) => each.id !== id && !each.production);
  const compareWith = others.find((each) => each.id === otherId)?.id;

  const typedRate = Number(rate.replace(',', '.'));
  const callsPerSecond = typedRate >= 0.1 && typedRate <= 100 ? typedRate : settings.callsPerSecond;
  useEffect(() => {
    let left = false;
    const wanted = { variant, callsPerSecond, throttling, races, accounts, bail: false };
    void api.contractRun.plan({ serverId: id, compareWith, options: wanted }).then((result) => {
      if (!left && result.ok) setPlan(result.value);
    });
    return () => {
      left = true;
    };
  }, [id, compareWith, variant, callsPerSecond, throttling, races, accounts]);

  const chosen = servers.find((each) => each.id === id);
  const builtIn = servers.find((each) => each.builtIn);
  const nameOf = (each: Server) =>
    each.production ? t('run.isProduction', { name: serverName(each) }) : serverName(each);

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
    isVariantAsked,
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

/** Keeps what is chosen about the accounts that a run makes. */
function useAccountChoices(options: RunOptions | undefined) {
  const { least, usual, most } = accountLimits;
  const [typedAccounts, setTypedAccounts] = useState(String(options?.accounts ?? usual));
  const [typedDomain, setTypedDomain] = useState(options?.emailDomain ?? '');
  const [isWrong, setIsWrong] = useState(false);

  const number = Number(typedAccounts);
  const accounts = Number.isInteger(number) && number >= least && number <= most ? number : usual;
  const domain = typedDomain.trim();
  const isName = domain === '' || (domain.length <= longestEmailDomain && emailDomainPattern.test(domain));

  return {
    typedAccounts,
    setTypedAccounts,
    accounts,
    typedDomain,
    setTypedDomain(text: string): void {
      setTypedDomain(text);
      setIsWrong(false);
    },
    emailDomain: domain !== '' && isName ? domain : undefined,
    isWrong,
    /** Answers whether a run may be started with them, and else shows what is wrong. */
    check(): boolean {
      setIsWrong(!isName);
      return isName;
    },
  };
}
