import type { InterfaceFault, ShippedInterface } from '../../../preload/contract/connection.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { formatDate } from '../../format.ts';
import { language, t } from '../../i18n.ts';

/** One sentence for a fault of an API description. */
export function faultText(fault: InterfaceFault): string {
  const text = `${reportTexts().interfaceFault(fault)}.`;
  // A path at the beginning keeps its case.
  const isPlace = fault.at !== '' && text.startsWith(fault.at);
  return isPlace ? text : text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}

/** Which version a shipped description was tested with, and when. */
export function proofText({ id, proved }: Pick<ShippedInterface, 'id' | 'proved'>): string {
  if (id === 'llavero') return t('interface.ownHint');
  if (!proved) return t('interface.unproved');
  const [, version = proved.version] = /^(\d+\.\d+)/.exec(proved.version) ?? [];
  return t('interface.proved', { version, when: formatDate(proved.on, 'month') });
}
