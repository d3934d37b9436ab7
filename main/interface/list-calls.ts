import type { InterfaceCall, InterfaceDescription } from '../../preload/contract/interface.ts';
import type { Operation } from '../../preload/contract/names.ts';

/** The calls of an API: the four operations of `interface.md`, with both registrations, and the renewal of a token. */
export type ApiCall = Operation | 'refresh';

type CallName = 'register' | 'login' | 'profile' | 'logout' | 'refresh';

/** The calls of a description, with the path of each in it. */
export function listCalls({ calls }: InterfaceDescription): { at: string; name: CallName; call: InterfaceCall }[] {
  const { register } = calls;
  const registers = register === null || register === undefined ? [] : Array.isArray(register) ? register : [register];
  return [
    ...registers.map((call, index) => ({
      at: Array.isArray(register) ? `calls.register.${index}` : 'calls.register',
      name: 'register' as const,
      call,
    })),
    ...(['login', 'profile', 'logout', 'refresh'] as const).flatMap((name) => {
      const call = calls[name];
      return call ? [{ at: `calls.${name}`, name, call }] : [];
    }),
  ];
}
