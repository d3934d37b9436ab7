import { Anchor, Box } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import type { Server } from '../../preload/contract/models.ts';
import { api, useActiveServer, useApp } from '../api.ts';
import { t } from '../i18n.ts';
import { runOf, serverName } from '../server-name.ts';
import { useAction } from '../use-action.ts';
import { useWindowTitle } from '../use-window-title.ts';
import { ErrorMessage } from './error-message.tsx';
import classes from './form-card.module.css';
import linkClasses from './link-button.module.css';

/** The height in pixels of a field, and of the rest of a form with its links. */
const fieldHeight = 81;
const otherHeight = 318;

interface FormCardProps {
  title: string;
  headingRef?: Ref<HTMLHeadingElement>;
  /** The id of the description that is announced when the heading takes the focus. */
  describedBy?: string | undefined;
  /** The initial number of fields. */
  fields: number;
  /** A picture above the heading, which is then centred. */
  picture?: ReactNode;
  children: ReactNode;
  /** Content below the card. */
  under?: ReactNode;
  /** Content that may appear late: below everything else, where it moves nothing. */
  after?: ReactNode;
}

/**
 * A form in a card that is vertically centred at first. Its top then stays in place however tall the form gets. The
 * heading is also the title of the window.
 */
export function FormCard({ title, headingRef, describedBy, fields, picture, children, under, after }: FormCardProps) {
  useWindowTitle(title);
  return (
    <Box className={classes.page} style={{ '--at-rest': `${otherHeight + fields * fieldHeight}px` }}>
      <div className={classes.card} data-centred={picture !== undefined}>
        {picture}
        <h1 ref={headingRef} tabIndex={-1} aria-describedby={describedBy} className={classes.title}>
          {title}
        </h1>
        {children}
      </div>
      {under !== undefined && <div className={classes.under}>{under}</div>}
      <div className={classes.after}>{after}</div>
    </Box>
  );
}

/** Names the target server of a form, such as "to Acme accounts.example.test", with a button to start a stopped one. */
export function FormServer({ preposition }: { preposition: 'to' | 'on' }) {
  const state = useApp();
  const server = useActiveServer();
  const { run, pending, failure } = useAction();
  const name = serverName(server);
  const host = server.builtIn ? '' : hostOf(server, !state.settings.workbench);
  const runState = runOf(state, server);
  const isStopped = runState === 'stopped' || runState === 'failed';
  const start = () => run(() => (server.mock ? api.mocks.start({ id: server.id }) : api.builtIn.start()));
  return (
    <>
      <p key={server.id} className={classes.server}>
        <span>{t(`form.${preposition}`)}</span>
        <bdi className="strong full" title={name}>
          {name}
        </bdi>
        {pending || isStopped ? (
          <>
            <span>({t(pending ? 'server.starting' : 'server.notRunning')})</span>
            <button type="button" className={linkClasses.link} aria-busy={pending} onClick={() => void start()}>
              {t('mocks.start')}
            </button>
          </>
        ) : (
          host !== '' &&
          !name.startsWith(host) && (
            <bdi className="muted" title={host}>
              {host}
            </bdi>
          )
        )}
      </p>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </>
  );
}

/** Without the port in the simple mode. */
function hostOf({ baseUrl }: Server, isSimple: boolean): string {
  const host = baseUrl.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  return isSimple ? host.replace(/:\d+$/, '') : host;
}

/** Leads to the other form. A link, since it only navigates. */
export function FormLink({ question, label, onOpen }: { question: string; label: string; onOpen: () => void }) {
  return (
    <p className={classes.other}>
      <span>{question}</span>{' '}
      <Anchor
        inherit
        underline="always"
        href="#"
        onClick={(event) => {
          event.preventDefault();
          onOpen();
        }}
      >
        {label}
      </Anchor>
    </p>
  );
}
