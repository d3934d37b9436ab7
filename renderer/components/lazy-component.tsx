import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';

/**
 * Creates a component whose code is loaded when it is first shown, so that the first frame does not wait for it.
 * `React.lazy` would show it 300 ms after its fallback, however soon the code is there.
 * @param load imports the component
 * @param place the fallback until then
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  place?: (props: Props) => ReactNode,
): ComponentType<Props> & { preload: () => Promise<ComponentType<Props>> } {
  let loaded: ComponentType<Props> | undefined;
  /** Loads the component in advance, so that it is shown without a fallback. */
  const preload = async (): Promise<ComponentType<Props>> => (loaded ??= await load());
  function WhenOpened(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (loaded) return;
      preload().then(
        (part) => setPart(() => part),
        // Thrown while rendering, so that it is handled like a bug of any other component.
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
