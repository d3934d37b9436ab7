import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';

/**
 * Makes a part of the window whose code is loaded when it is first shown. The first frame does not wait for it, and
 * whoever never opens it does not load it.
 * @param load imports its code
 * @param place what holds its place until then
 */
export function whenOpened<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  place?: (props: Props) => ReactNode,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }));
  return function WhenOpened(props) {
    return <Suspense fallback={place?.(props)}>{createElement(Part, props)}</Suspense>;
  };
}
