import { createContext } from 'react';

/** A value of the profile, as main finds it: by its field, and within that by the steps that lead there. */
export interface ValuePlace {
  of: 'known' | 'rest';
  field: string;
  at?: number[];
}

export const keyOf = ({ of, field, at = [] }: ValuePlace): string => [of, field, ...at].join(' ');

interface ProfileActions {
  copy: (place: ValuePlace, label: string) => void;
  open: (place: ValuePlace) => void;
  /** The value that was copied last. */
  copied: string | undefined;
}

/** What can be done with the values of a profile. Where nothing can, as with a token's, it is undefined. */
export const ProfileActionsContext = createContext<ProfileActions | undefined>(undefined);
