import type { i18n as I18n, TFunction } from 'i18next';
import { createContext, type ReactNode, use, useCallback, useMemo, useSyncExternalStore } from 'react';

/** The texts of the window in its language, and what else i18next says of that language. */
interface Texts {
  t: TFunction;
  i18n: I18n;
}

const TextsContext = createContext<Texts | undefined>(undefined);

/** Returns `t`, which looks up once what needs no value: a screen asks for dozens of such texts whenever it is drawn. */
export function remembering(t: TFunction): TFunction {
  const known = new Map<string, unknown>();
  return new Proxy(t, {
    apply(_t, _this, asked: unknown[]): unknown {
      const [key] = asked;
      if (asked.length > 1 || typeof key !== 'string') return Reflect.apply(t, undefined, asked);
      if (!known.has(key)) known.set(key, Reflect.apply(t, undefined, asked));
      return known.get(key);
    },
  });
}

interface TextsProviderProps {
  i18n: I18n;
  children: ReactNode;
}

/**
 * Gives the window its texts, and draws it anew when its language changes. It listens for that once: with
 * react-i18next, each of the forty parts of a profile did.
 */
export function TextsProvider({ i18n, children }: TextsProviderProps) {
  const subscribe = useCallback(
    (listener: () => void) => {
      i18n.on('languageChanged', listener);
      return () => i18n.off('languageChanged', listener);
    },
    [i18n],
  );
  const currentLanguage = () => i18n.language;
  const language = useSyncExternalStore(subscribe, currentLanguage, currentLanguage);
  const texts = useMemo(() => ({ t: remembering(i18n.getFixedT(language)), i18n }), [i18n, language]);
  return <TextsContext value={texts}>{children}</TextsContext>;
}

/** Returns the texts of the window in its language. */
export function useTexts(): Texts {
  const texts = use(TextsContext);
  if (!texts) throw new Error('A part of the window is drawn outside of TextsProvider.');
  return texts;
}
