import { describe, expect, it } from 'vitest';
import { matchesQuery } from '../../../renderer/matches-query.ts';
import en from '../../../preload/contract/locales/window/en.json';
import es from '../../../preload/contract/locales/window/es.json';
import { builtInTabs } from '../../../renderer/screens/built-in-server/tabs.ts';
import { settingsSections } from '../../../renderer/screens/settings/sections.ts';
import { foundThere, settingPlaces } from '../../../renderer/shell/palette-places.ts';

const texts = { en, es };

/** What the palette searches of each place, in a language. */
function searched(language: keyof typeof texts): string[][] {
  const { palette, settings, builtIn } = texts[language];
  return [
    ...foundThere.map(({ name }) => [palette.found[name], palette.words[name]]),
    ...builtInTabs.map((tab) => [builtIn.tabs[tab]]),
    ...settingsSections.map(({ id }) => [settings.section[id]]),
    ...settingPlaces.map(({ row, words }) => [settings.row[row].label, words ? palette.words[words] : '']),
  ];
}

const asked = {
  en: 'PIN,export,import,fault,people,proxy,response format,clock,erase,curl,new server,register,mock,certificate,theme,language',
  es: 'PIN,exportar,importar,fallo,personas,proxy,formato de respuesta,reloj,borrar,curl,servidor nuevo,registrar,simulado,certificado,tema,idioma',
} as const;

describe('the palette finds', () => {
  it.each(
    (['en', 'es'] as const).flatMap((language) => asked[language].split(',').map((word) => [language, word] as const)),
  )('in %s: %s', (language, word) => {
    expect(searched(language).filter((entry) => matchesQuery(entry, word)).length).toBeGreaterThan(0);
  });

  it('every setting, every part of the settings and every tab of the built-in server', () => {
    expect(settingPlaces.map(({ row }) => row as string).toSorted()).toEqual(Object.keys(en.settings.row).toSorted());
    expect(settingsSections.map(({ id }) => id as string).toSorted()).toEqual(
      Object.keys(en.settings.section).toSorted(),
    );
    expect([...builtInTabs].toSorted()).toEqual(Object.keys(en.builtIn.tabs).toSorted());
  });
});
