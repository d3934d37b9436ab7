import { expect, it } from 'vitest';
import es from '../../../preload/contract/locales/window/es.json' with { type: 'json' };
import { loadI18n } from '../../../renderer/i18n.ts';

it('a language is loaded however its code is written', async () => {
  for (const code of ['es', 'ES']) expect((await loadI18n(code)).t('app.cancel')).toBe(es.app.cancel);
});
