import type { User } from '../../preload/contract/models.ts';
import type { ShownReading } from './hide-in-reading.ts';

/** Returns the user of an answer as the screens show it. */
export function userOf({ meaning, rest, left }: Pick<ShownReading, 'meaning' | 'rest' | 'left'>): User {
  const { id, name, email } = meaning.user ?? {};
  return {
    ...(id !== undefined && { id: String(id) }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    rest,
    ...(left > 0 && { left }),
  };
}
