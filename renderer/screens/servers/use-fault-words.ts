import { useMemo } from 'react';
import type { InterfaceFault } from '../../../preload/contract/connection.ts';
import { reportWords } from '../../../preload/contract/words/say-report.ts';
import { language } from '../../i18n.ts';

/** Returns how a fault of a description is said, in one sentence. */
export function useFaultWords(): (fault: InterfaceFault) => string {
  const spoken = language();
  const words = useMemo(() => reportWords(spoken), [spoken]);
  return (fault) => {
    const text = `${words.interfaceFault(fault)}.`;
    // A place in the text is written as it stands there.
    const isPlace = fault.at !== '' && text.startsWith(fault.at);
    return isPlace ? text : text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
  };
}
