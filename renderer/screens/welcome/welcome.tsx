import { Button, NativeSelect } from '@mantine/core';
import { type ComponentType, type ReactNode, useEffect, useId, useRef } from 'react';
import { languageNames } from '../../../preload/contract/language-names.ts';
import type { AppState, Settings } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { arriveAt } from '../../arrive.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { KeyIcon, LanguageIcon, PlayIcon, ToolIcon } from '../../components/icons.tsx';
import linkClasses from '../../components/link-button.module.css';
import { go } from '../../place.ts';
import { useTexts } from '../../texts.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { useWindowTitle } from '../../use-window-title.ts';
import { OwnAccount } from './own-account.tsx';
import classes from './welcome.module.css';

/** Shows the first minute: three ways to begin. Each is open later too, so nothing is asked here that must be answered. */
export function Welcome({ state }: { state: AppState }) {
  const { t } = useTexts();
  useWindowTitle(t('welcome.title'));
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus({ preventScroll: true }), []);
  return (
    <div className={classes.scroll}>
      <div className={classes.page}>
        <h1 ref={headingRef} tabIndex={-1} className={classes.title}>
          {t('welcome.title')}
        </h1>
        <p className={classes.lead}>{t('welcome.lead')}</p>
        <div className={classes.doors}>
          <Door icon={KeyIcon} door="own">
            <OwnAccount activeServerId={state.activeServerId} />
          </Door>
          <Demo activeServerId={state.activeServerId} />
          <Door icon={ToolIcon} door="test">
            <Button
              variant="default"
              h={40}
              fullWidth
              onClick={() => {
                go({ room: 'account' });
                void api.settings.change({ welcomed: true, workbench: true });
              }}
            >
              {t('welcome.test.do')}
            </Button>
          </Door>
        </div>
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

interface DoorProps {
  door: 'own' | 'demo' | 'test';
  icon: ComponentType<{ size?: number }>;
  children: ReactNode;
}

function Door({ door, icon: Icon, children }: DoorProps) {
  const { t } = useTexts();
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

/** Starts the demo in one press. */
function Demo({ activeServerId }: { activeServerId: string }) {
  const { t } = useTexts();
  const attempt = useAttempt(activeServerId);
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt.failure) arriveAt(alertRef.current);
  }, [attempt.failure]);

  const start = () =>
    attempt.run(async () => {
      const started = await api.demo.start();
      return started.ok ? api.settings.change({ welcomed: true }) : started;
    });

  return (
    <Door icon={PlayIcon} door="demo">
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" ref={alertRef} />}
      <output className={classes.starting}>{attempt.sending && t('demo.starting')}</output>
      <Button variant="default" h={40} fullWidth aria-busy={attempt.sending} onClick={() => void start()}>
        {t('welcome.demo.do')}
      </Button>
    </Door>
  );
}

/** Offers the language. Each is named in itself, so that whoever needs it finds it. */
function LanguageChoice({ settings }: { settings: Settings }) {
  const { t } = useTexts();
  return (
    <div className={classes.looks}>
      <NativeSelect
        size="xs"
        aria-label={t('settings.language')}
        leftSection={<LanguageIcon />}
        value={settings.language}
        data={[
          { value: 'system', label: t('settings.languageSystem') },
          ...languageNames.map(([value, label]) => ({ value, label })),
        ]}
        onChange={(event) => void api.settings.change({ language: event.currentTarget.value })}
      />
    </div>
  );
}
