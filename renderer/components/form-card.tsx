import { Anchor } from '@mantine/core';
import type { ComponentProps, ReactNode, Ref } from 'react';
import { useAppState } from '../api.ts';
import { serverName } from '../server-name.ts';
import { useTexts } from '../texts.tsx';
import { useWindowTitle } from '../use-window-title.ts';
import classes from './form-card.module.css';
import { StartServer } from './start-server.tsx';

interface FormCardProps {
  title: string;
  headingRef: Ref<HTMLHeadingElement>;
  /** It says at which server the form is sent, below the heading. */
  where?: ReactNode;
  /** A picture above the heading. The heading is in the middle then. */
  picture?: ReactNode;
  children: ReactNode;
  /** What stands below the card. */
  under?: ReactNode;
  /** What went wrong at the last press. It comes over what stands below the card, which follows it meanwhile. */
  wrong?: ReactNode;
  /** What comes after a press, below everything else, where it moves nothing. */
  after?: ReactNode;
}

/**
 * Shows a form in a card, whose top stays where it is however long the form gets. Its heading can take the focus, and
 * stands in the window's title.
 */
export function FormCard({ title, headingRef, where, picture, children, under, wrong, after }: FormCardProps) {
  useWindowTitle(title);
  return (
    <div className={classes.page}>
      <div className={classes.card} data-centred={picture !== undefined}>
        {picture}
        <h1 ref={headingRef} tabIndex={-1} className={classes.title}>
          {title}
        </h1>
        {where}
        {children}
      </div>
      {under !== undefined && (
        <div className={classes.below}>
          {/* It keeps its place, so that nothing in it moves. */}
          <div className={classes.under} inert={Boolean(wrong)} data-covered={Boolean(wrong)}>
            {under}
          </div>
          {wrong && (
            <div className={classes.wrong}>
              {wrong}
              <div className={classes.under}>{under}</div>
            </div>
          )}
        </div>
      )}
      <div className={classes.after}>{after}</div>
    </div>
  );
}

interface WhereProps {
  preposition: 'to' | 'on';
  /** How the server is started, where it is stopped. It stands where the host would. */
  start?: ComponentProps<typeof StartServer> | undefined;
}

/** Names the server that a form is sent to, such as "to Acme accounts.example.test". */
export function Where({ preposition, start }: WhereProps) {
  const { t } = useTexts();
  const state = useAppState();
  const server = state?.servers.find(({ id }) => id === state.activeServerId);
  const name = serverName(server, t);
  const host = server?.baseUrl.replace(/^https?:\/\//, '').replace(/\/.*$/, '') ?? '';
  return (
    // Another server has a line of its own.
    <p key={server?.id} className={classes.where}>
      <span>{t(`form.${preposition}`)}</span>
      <bdi className={classes.server} title={name}>
        {name}
      </bdi>
      {start && <StartServer {...start} />}
      {!start && !name.startsWith(host) && (
        <bdi className={classes.host} title={host}>
          {host}
        </bdi>
      )}
    </p>
  );
}

interface OtherScreenProps {
  question: string;
  label: string;
  onOpen: () => void;
}

/** Leads to the other form. It is a link, since it changes nothing. */
export function OtherScreen({ question, label, onOpen }: OtherScreenProps) {
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
