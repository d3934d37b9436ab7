import { type ReactNode, useDeferredValue } from 'react';

/**
 * Renders its children once what is around them is there, in pieces, between which the window stays responsive. For a
 * large part that is not the first thing that people look at.
 */
export const Deferred = ({ children }: { children: ReactNode }) => (useDeferredValue(true, false) ? children : null);
