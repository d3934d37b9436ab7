import { expect, it } from 'vitest';
import { startI18n } from '../../../renderer/i18n.ts';
import { remembering } from '../../../renderer/texts.tsx';

it('a text is looked up once, and a text with values whenever it is asked for', async () => {
  const fixed = (await startI18n('en')).getFixedT('en');
  const lookedUp: unknown[] = [];
  const t = remembering(
    new Proxy(fixed, {
      apply(_t, _this, asked: unknown[]): unknown {
        lookedUp.push(asked[0]);
        return Reflect.apply(fixed, undefined, asked);
      },
    }),
  );
  expect([t('app.cancel'), t('app.cancel')]).toEqual(['Cancel', 'Cancel']);
  expect(['/a', '/b'].map((path) => t('register.at', { path }))).toEqual(['Registers at /a.', 'Registers at /b.']);
  expect(lookedUp).toEqual(['app.cancel', 'register.at', 'register.at']);
});
