import { type Ref, type RefObject, useImperativeHandle } from 'react';

interface StandInProps {
  of: RefObject<HTMLElement | null>;
  /** Mantine gives it. */
  ref?: Ref<HTMLElement>;
}

/** Takes the place of Mantine's target for a button that is elsewhere, so that what opens is put beside that one. */
export function StandIn({ of, ref }: StandInProps) {
  useImperativeHandle(ref, () => of.current!, [of]);
  return null;
}
