import { describe, expect, it } from 'vitest';
import { inLanguage } from '../../support/in-language.ts';
import { formatDuration } from '../../../renderer/format.ts';

describe('a length of time', () => {
  it.each([
    [0, 'en', '0 seconds'],
    [1, 'en', '1 second'],
    [0.2, 'en', '1 second'],
    [60, 'en', '1 minute'],
    [75, 'en', '1 minute, 15 seconds'],
    [75, 'es', '1 minuto y 15 segundos'],
    [3600.5, 'en', '1 hour'],
    [3661, 'en', '1 hour, 1 minute'],
    [86_400, 'en', '1 day'],
    [31 * 86_400 + 5 * 3600 + 59, 'es', '31 días y 5 horas'],
    [-3, 'en', '0 seconds'],
  ] as const)('of %d s in %s is "%s"', (seconds, language, words) => {
    expect(inLanguage(language, () => formatDuration(seconds))).toBe(words);
  });
});
