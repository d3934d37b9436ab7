/** An address as the Simple face says it: without the name of the protocol. */
export const plainAddress = (address: string, isSimple: boolean): string =>
  isSimple ? address.replace(/^https?:\/\//, '') : address;
