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
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyComponent(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (part) => setPart(() => (loaded = part)),
        // Thrown while rendering, so that it is handled like a bug of any other component.
        (error: unknown) =>
          setPart(() => {
            throw error;
          }),
      );
    }, []);
    return Part ? createElement(Part, props) : place?.(props);
  };
}
