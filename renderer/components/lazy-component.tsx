import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';

/**
 * Makes a part of the window whose code is loaded when it is first shown. The first frame does not wait for it, and
 * a window in which it stays closed does not load it. React's own `lazy` would show it 300 ms after what holds its
 * place, however soon its code is there.
 * @param load imports its code
 * @param place what holds its place until then
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  place?: (props: Props) => ReactNode,
): ComponentType<Props> & { preload: () => Promise<ComponentType<Props>> } {
  let loaded: ComponentType<Props> | undefined;
  /** Loads it before it is shown, so that it is there at once. */
  const preload = async (): Promise<ComponentType<Props>> => (loaded ??= await load());
  function WhenOpened(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (loaded) return;
      preload().then(
        (part) => setPart(() => part),
        // It is a fault of ours, as one in any other part.
        (error: unknown) =>
          setPart(() => {
            throw error;
          }),
      );
    }, []);
    return Part ? createElement(Part, props) : place?.(props);
  }
  return Object.assign(WhenOpened, { preload });
}
