import { Button, NativeSelect } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { languageNames } from '../../../preload/contract/locales/languages.ts';
import type { Settings } from '../../../preload/contract/settings.ts';
import { api, useApp } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { KeyIcon, LanguageIcon, PlayIcon, ToolIcon } from '../../components/icons.tsx';
import linkClasses from '../../components/link-button.module.css';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { useAction } from '../../use-action.ts';
import { ImportButtons } from '../servers/import-buttons.tsx';
import type { Source } from '../servers/use-import.ts';
import { useWindowTitle } from '../../use-window-title.ts';
import { AddressForm } from './address-form.tsx';
import classes from './welcome.module.css';
import { t } from '../../i18n.ts';

const FirstImport = lazyComponent(() => import('./first-import.tsx').then((loaded) => loaded.FirstImport));

/** Three ways to begin. All are available later too, so the page can be skipped. */
export function Welcome() {
  const state = useApp();
  useWindowTitle(t('welcome.title'));
  const headingRef = useRef<HTMLHeadingElement>(null);
  const [source, setSource] = useState<Source>();
  useEffect(() => {
    if (!source) headingRef.current?.focus({ preventScroll: true });
  }, [source]);
  return (
    <div className={classes.scroll}>
      <div className={classes.page}>
        <h1 ref={headingRef} tabIndex={-1} className={classes.title}>
          {t('welcome.title')}
        </h1>
        {source ? (
          <FirstImport source={source} onSource={setSource} />
        ) : (
          <>
            <p className={classes.lead}>{t('welcome.lead')}</p>
            <div className={classes.entries}>
              <Entry icon={KeyIcon} entry="own">
                <AddressForm entry="own" />
              </Entry>
              <Demo />
              <Entry icon={ToolIcon} entry="test">
                <ImportButtons onSource={setSource} isShort />
                <AddressForm entry="test" />
              </Entry>
            </div>
          </>
        )}
        <div className={classes.after}>
          <button
            type="button"
            className={linkClasses.link}
            data-size="small"
            onClick={() => void api.settings.change({ welcomed: true })}
          >
            {t('welcome.skip')}
          </button>
          <LanguageChoice settings={state.settings} />
        </div>
      </div>
    </div>
  );
}

interface EntryProps {
  entry: 'own' | 'demo' | 'test';
  icon: ComponentType<{ size?: number }>;
  children: ReactNode;
}

function Entry({ entry, icon: Icon, children }: EntryProps) {
  const id = useId();
  return (
    <section className={classes.entry} aria-labelledby={id}>
      <span className={classes.icon}>
        <Icon size={24} />
      </span>
      <h2 id={id}>{t(`welcome.${entry}.title`)}</h2>
      <p>{t(`welcome.${entry}.description`)}</p>
      <div className={classes.do}>{children}</div>
    </section>
  );
}

function Demo() {
  const { run, pending, failure } = useAction();
  const start = () =>
    run(async () => {
      const started = await api.demo.start();
      return started.ok ? api.settings.change({ welcomed: true }) : started;
    });
  return (
    <Entry icon={PlayIcon} entry="demo">
      <output className="text soft">{pending && t('demo.starting')}</output>
      <Button variant="default" h={40} fullWidth aria-busy={pending} onClick={() => void start()}>
        {t('welcome.demo.do')}
      </Button>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </Entry>
  );
}

/** Each language is named in itself, so that its speakers find it. */
function LanguageChoice({ settings }: { settings: Settings }) {
  return (
    <div className="wrapping gap8">
      <NativeSelect
        size="xs"
        aria-label={t('settings.language')}
        leftSection={<LanguageIcon />}
        value={settings.language}
        data={[
          { value: 'system', label: t('settings.languageSystem') },
          ...Object.entries(languageNames).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(event) => void api.settings.change({ language: event.currentTarget.value })}
      />
    </div>
  );
}
