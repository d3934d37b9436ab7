import { useState } from 'react';
import type { RunOptions } from '../../../preload/contract/report-run.ts';
import { accountLimits, emailDomainPattern, longestEmailDomain } from '../../../preload/contract/run-limits.ts';

/** Keeps what is chosen about the accounts that a run makes. */
export function useAccountChoices(options: RunOptions | undefined) {
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
