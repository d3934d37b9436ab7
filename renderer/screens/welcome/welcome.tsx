import { Button, NativeSelect } from '@mantine/core';
import { type ComponentType, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { languages } from '../../../preload/contract/words/languages.ts';
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

/** Shows the first minute: three ways to begin. Each is open later too, so nothing is asked here that must be answered. */
export function Welcome() {
  const state = useApp();
  useWindowTitle(t('welcome.title'));
  const headingRef = useRef<HTMLHeadingElement>(null);
  const doorsRef = useRef<HTMLDivElement>(null);
  const [source, setSource] = useState<Source>();
  useHeightAtRest(doorsRef, source === undefined);
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
            <div ref={doorsRef} className={classes.doors}>
              <Door icon={KeyIcon} door="own">
                <AddressForm door="own" />
              </Door>
              <Demo />
              <Door icon={ToolIcon} door="test">
                <ImportButtons onSource={setSource} isShort />
                <AddressForm door="test" />
              </Door>
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

/** Keeps how high the doors are while nothing is wrong, so that what is wrong at one of them makes that one alone higher. */
function useHeightAtRest(ref: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const doors = ref.current;
    const [door] = doors?.children ?? [];
    if (!isShown || !doors || !door) return undefined;
    const observer = new ResizeObserver(() => {
      if (doors.querySelector('[role=alert]')) return;
      doors.style.setProperty('--height-at-rest', `${door.getBoundingClientRect().height}px`);
    });
    observer.observe(doors);
    return () => observer.disconnect();
  }, [ref, isShown]);
}

interface DoorProps {
  door: 'own' | 'demo' | 'test';
  icon: ComponentType<{ size?: number }>;
  children: ReactNode;
}

function Door({ door, icon: Icon, children }: DoorProps) {
  const id = useId();
  return (
    <section className={classes.door} aria-labelledby={id}>
      <span className={classes.icon}>
        <Icon size={24} />
      </span>
      <h2 id={id}>{t(`welcome.${door}.title`)}</h2>
      <p>{t(`welcome.${door}.says`)}</p>
      <div className={classes.do}>{children}</div>
    </section>
  );
}

function Demo() {
  const attempt = useAction();

  const start = () =>
    attempt.run(async () => {
      const started = await api.demo.start();
      return started.ok ? api.settings.change({ welcomed: true }) : started;
    });

  return (
    <Door icon={PlayIcon} door="demo">
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
      <output className={classes.starting}>{attempt.pending && t('demo.starting')}</output>
      <Button variant="default" h={40} fullWidth aria-busy={attempt.pending} onClick={() => void start()}>
        {t('welcome.demo.do')}
      </Button>
    </Door>
  );
}

/** Offers the language. Each is named in itself, so that its speakers find it. */
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
          ...Object.entries(languages).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(event) => void api.settings.change({ language: event.currentTarget.value })}
      />
    </div>
  );
}
