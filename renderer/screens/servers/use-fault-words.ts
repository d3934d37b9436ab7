import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { InterfaceFault } from '../../../preload/contract/connection.ts';
import { reportWords } from '../../../preload/contract/words/say-report.ts';

/** Returns how a fault of a description is said, in one sentence. */
export function useFaultWords(): (fault: InterfaceFault) => string {
  const { i18n } = useTranslation();
  const words = useMemo(() => reportWords(i18n.language), [i18n.language]);
  return (fault) => {
    const text = `${words.interfaceFault(fault)}.`;
    // A place in the text is written as it stands there.
    const isPlace = fault.at !== '' && text.startsWith(fault.at);
    return isPlace ? text : text.charAt(0).toLocaleUpperCase(i18n.language) + text.slice(1);
  };
}
