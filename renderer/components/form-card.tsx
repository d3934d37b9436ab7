import { Anchor, Box } from '@mantine/core';
import { type ComponentProps, Fragment, type ReactNode, type Ref } from 'react';
import type { Server } from '../../preload/contract/models.ts';
import { useActiveServer, useApp } from '../api.ts';
import { serverName } from '../server-name.ts';
import { useWindowTitle } from '../use-window-title.ts';
import classes from './form-card.module.css';
import { StartServer } from './start-server.tsx';
import { t } from '../i18n.ts';

/** How high a field is, and all the rest of a form with its links, in pixels. */
const ofField = 81;
const withoutFields = 318;

interface FormCardProps {
  title: string;
  headingRef: Ref<HTMLHeadingElement>;
  /** The id of what is read after the heading when that takes the focus. */
  describedBy?: string | undefined;
  /** It says at which server the form is sent, below the heading. */
  where?: ReactNode;
  /** How many fields it has at first. */
  fields: number;
  /** A picture above the heading. The heading is in the middle then. */
  picture?: ReactNode;
  children: ReactNode;
  /** What stands below the form. */
  under?: ReactNode;
  /** What the notice of the form says, if there is one. What stands below follows a long one. */
  notice?: string | undefined;
  /** What comes after a press, below everything else, where it moves nothing. */
  after?: ReactNode;
}

/**
 * Shows a form in a card, which begins in the middle of the room and whose top stays there however long the form gets.
 * Its heading can take the focus, and stands in the window's title.
 */
export function FormCard({
  title,
  headingRef,
  describedBy,
  where,
  fields,
  picture,
  children,
  under,
  notice = '',
  after,
}: FormCardProps) {
  useWindowTitle(title);
  return (
    <Box className={classes.page} style={{ '--at-rest': `${withoutFields + fields * ofField}px` }}>
      <div className={classes.card} data-centred={picture !== undefined}>
        {picture}
        <h1 ref={headingRef} tabIndex={-1} aria-describedby={describedBy} className={classes.title}>
          {title}
        </h1>
        {where}
        {children}
      </div>
      {/* What follows is made again at its place below a notice, instead of moving there. */}
      <Fragment key={notice}>
        {under !== undefined && <div className={classes.under}>{under}</div>}
        <div className={classes.after}>{after}</div>
      </Fragment>
    </Box>
  );
}

interface WhereProps {
  preposition: 'to' | 'on';
  /** How the server is started, where it is stopped. It stands where the host would. */
  start?: ComponentProps<typeof StartServer> | undefined;
}

/** Names the server that a form is sent to, such as "to Acme accounts.example.test". */
export function Where({ preposition, start }: WhereProps) {
  const isSimple = !useApp().settings.workbench;
  const server = useActiveServer();
  const name = serverName(server);
  const host = server.builtIn ? '' : hostOf(server, isSimple);
  return (
    // Another server has a line of its own.
    <p key={server.id} className={classes.where}>
      <span>{t(`form.${preposition}`)}</span>
      <bdi className="strong full" title={name}>
        {name}
      </bdi>
      {start && <StartServer {...start} />}
      {!start && host !== '' && !name.startsWith(host) && (
        <bdi className="muted" title={host}>
          {host}
        </bdi>
      )}
    </p>
  );
}

/** The host of a server. An owner of an account needs no port. */
function hostOf({ baseUrl }: Server, isSimple: boolean): string {
  const host = baseUrl.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  return isSimple ? host.replace(/:\d+$/, '') : host;
}

/** Leads to the other form. It is a link, since it changes nothing. */
export function OtherScreen({ question, label, onOpen }: { question: string; label: string; onOpen: () => void }) {
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
