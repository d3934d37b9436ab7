import type { EnteredServer } from '../../preload/contract/contract.ts';
import type { ConnectionChoices } from '../../preload/contract/connection.ts';
import { proxyHost } from './password-hosts.ts';

/** The hosts of a server that a person typed themselves, key by key: these may get passwords without a question. */
export type TypedHosts = (
  entered: Pick<EnteredServer, 'address' | 'enteredConnection'>,
  baseUrl: string,
  connection: Pick<ConnectionChoices, 'proxy'>,
) => string[];

/** @param isTyped whether main saw a text being typed as an address */
export function createTypedHosts(isTyped: (text: string) => boolean): TypedHosts {
  return ({ address, enteredConnection }, baseUrl, { proxy }) => {
    const entered = enteredConnection?.proxy;
    const proxyAsEntered = entered?.mode === 'manual' ? entered.address : entered?.mode === 'pac' ? entered.url : '';
    const through = proxyHost(proxy);
    return [
      ...(isTyped(address) ? [new URL(baseUrl).origin] : []),
      ...(through !== undefined && isTyped(proxyAsEntered) ? [through] : []),
    ];
  };
}
