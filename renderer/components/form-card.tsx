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

/** The height of a field, and of all the rest of a form with its links, in pixels. */
const fieldHeight = 81;
const otherHeight = 318;

interface FormCardProps {
  title: string;
  headingRef?: Ref<HTMLHeadingElement>;
  /** The id of what is read after the heading when that takes the focus. */
  describedBy?: string | undefined;
  /** How many fields it has at first. */
  fields: number;
  /** A picture above the heading, which is centred then. */
  picture?: ReactNode;
  children: ReactNode;
  /** What stands below the card. */
  under?: ReactNode;
  /** What may come late, below everything else, where it moves nothing. */
  after?: ReactNode;
}

/**
 * A form in a card, which begins in the middle of the page and whose top stays there however long the form gets. Its
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

/** Names the server that a form is sent to, such as "to Acme accounts.example.test", and starts it where it is stopped. */
export function FormServer({ preposition }: { preposition: 'to' | 'on' }) {
  const state = useApp();
  const server = useActiveServer();
  const { run, pending, failure } = useAction();
  const name = serverName(server);
  const host = server.builtIn ? '' : hostOf(server, !state.settings.workbench);
  const runState = runOf(state, server);
  const isStopped = runState === 'stopped' || runState === 'failed';
  const start = () => run(() => (server.double ? api.doubles.start({ id: server.id }) : api.builtIn.start()));
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
              {t('doubles.start')}
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

/** In the simple mode without the port. */
function hostOf({ baseUrl }: Server, isSimple: boolean): string {
  const host = baseUrl.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  return isSimple ? host.replace(/:\d+$/, '') : host;
}

/** Leads to the other form. It is a link, since it changes nothing. */
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
