import { NativeSelect, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import type { Server } from '../../../preload/contract/models.ts';
import type { DialectPart, ServerColour } from '../../../preload/contract/settings.ts';
import { useApp } from '../../api.ts';
import { ColourField } from './colour-field.tsx';
import { ConnectionFolds } from './connection-folds.tsx';
import { Fold } from '../../components/fold.tsx';
import { InterfaceFold } from './interface-fold.tsx';
import { HeadersFold } from './headers-fold.tsx';
import { LastAnswers } from './last-answers.tsx';
import { plainText } from '../../components/plain-text.ts';
import classes from './server-form.module.css';
import type { useServerForm } from './use-server-form.ts';
import { t } from '../../i18n.ts';

const dialectParts: readonly DialectPart[] = ['token', 'user', 'message'];

export type Form = Omit<ReturnType<typeof useServerForm>, 'formRef'>;

interface ServerFormProps {
  id: string;
  formRef: RefObject<HTMLFormElement | null>;
  server: Server | undefined;
  form: Form;
}

/**
 * Takes everything a person can say about a server. Places in answers and paths are for the Workbench alone; extra
 * headers that exist are shown in both faces.
 */
export function ServerForm({ id, formRef, server, form }: ServerFormProps) {
  const isWorkbench = useApp().settings.workbench;
  const { headers = [] } = form.connection;
  return (
    <form id={id} ref={formRef} className={classes.form} onSubmit={(event) => void form.submit(event)} noValidate>
      <Traits form={form} isNew={server === undefined} />
      <div className="card">
        {isWorkbench && !form.isRunHere && (
          <InterfaceFold
            server={server}
            address={form.address}
            onAddress={(address, production) => {
              form.setAddress(address);
              if (production) form.change({ production, ...colourFor(production, form.details.colour) });
            }}
            entered={form.interface}
            onChange={form.setInterface}
            reach={{ enteredConnection: form.connection, production: form.details.production }}
            isMoved={form.isMoved}
            faults={form.wrongValues}
            onUnused={form.setUnused}
          />
        )}
        {isWorkbench && (server?.interface.registrations.length ?? 2) > 1 && <PathFold form={form} />}
        {isWorkbench && <PlacesFold form={form} learned={server?.learned ?? {}} />}
        {!form.isRunHere && (
          <ConnectionFolds
            connection={form.connection}
            onChange={form.setConnection}
            kept={server?.secrets ?? []}
            pins={server?.pins.length ?? 0}
            wrong={form.wrongConnection}
          />
        )}
        {!form.isRunHere && (isWorkbench || headers.length > 0) && (
          <HeadersFold
            headers={headers}
            onChange={(changed) => form.setConnection({ ...form.connection, headers: changed })}
            kept={server?.extraHeaders ?? []}
            isMoved={form.isMoved}
            wrong={form.wrongHeader}
          />
        )}
        {isWorkbench && server && <LastAnswers server={server} />}
        <NotesFold form={form} />
      </div>
    </form>
  );
}

/** Asks for what one comes for, in two rows: name and address, colour and whether the server is production. */
function Traits({ form, isNew }: { form: Form; isNew: boolean }) {
  const { builtIn, isRunHere, details, change, address } = form;
  return (
    <section className="card padded grid gap16" aria-label={t('server.face')}>
      <div className={classes.two}>
        {!builtIn && (
          <TextInput
            label={t('server.name')}
            description={details.name === '' && t('server.nameHelp')}
            inputWrapperOrder={hintBelow}
            maxLength={100}
            value={details.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            {...plainText}
          />
        )}
        <TextInput
          label={t('server.address')}
          description={addressHelp(form)}
          inputWrapperOrder={hintBelow}
          classNames={{ input: 'size13 mono' }}
          inputMode="url"
          readOnly={isRunHere}
          value={address}
          error={form.addressError}
          onChange={(event) => form.setAddress(event.currentTarget.value)}
          {...plainText}
        />
      </div>
      <div className={classes.traits}>
        <ColourField value={details.colour} isOpen={isNew} onChange={(colour) => change({ colour })} />
        {!isRunHere && (
          <Switch
            size="xs"
            color="red"
            classNames={{ body: classes.switchBody, label: classes.switchLabel, description: classes.switchHelp }}
            label={t('server.productionFlag')}
            description={details.production && t('server.productionHelp')}
            checked={details.production}
            // Red marks production, and nothing else.
            onChange={({ currentTarget: { checked } }) =>
              change({ production: checked, ...colourFor(checked, details.colour) })
            }
          />
        )}
      </div>
    </section>
  );
}

function colourFor(production: boolean, colour: ServerColour): { colour?: ServerColour } {
  if (production) return { colour: 'red' };
  return colour === 'red' ? { colour: 'gray' } : {};
}

/** What a person notes for themselves. */
function NotesFold({ form: { details, change } }: { form: Form }) {
  const [first = ''] = details.notes.trim().split('\n');
  return (
    <Fold title={t('server.notes')} value={first === '' ? t('server.optional') : first.slice(0, 60)} data-notes>
      <Textarea
        aria-label={t('server.notes')}
        rows={3}
        maxLength={5_000}
        value={details.notes}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
    </Fold>
  );
}

function addressHelp({ builtIn, isRunHere, isMoved }: Form): string | undefined {
  if (builtIn) return t('server.addressBuiltIn');
  if (isRunHere) return t('doubles.addressHelp');
  return isMoved ? t('server.addressHelp') : undefined;
}

/** The error comes directly under its field, and the hint below it. */
const hintBelow: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

const paths = { registro: '/registro', register: '/register' } as const;

function PathFold({ form: { details, change } }: { form: Form }) {
  return (
    <Fold title={t('server.pathTitle')} value={paths[details.registrationPath]}>
      <NativeSelect
        label={t('server.path')}
        data={Object.entries(paths).map(([value, label]) => ({ value, label }))}
        value={details.registrationPath}
        onChange={(event) =>
          change({ registrationPath: event.currentTarget.value === 'register' ? 'register' : 'registro' })
        }
      />
    </Fold>
  );
}

/** Asks which place in the answers holds what. */
function PlacesFold({ form: { details, change }, learned }: { form: Form; learned: Server['learned'] }) {
  return (
    <Fold title={t('server.dialect')} value={sayPlaces({ ...learned, ...namedOf(details.pinned) })}>
      <Text size="sm" c="dimmed">
        {t('server.dialectHelp')}
      </Text>
      {dialectParts.map((part) => {
        const path = learned[part];
        return (
          <TextInput
            key={part}
            label={t(`server.pinned.${part}`)}
            description={path === undefined ? t('server.notLearned') : t('server.learned', { path })}
            inputWrapperOrder={hintBelow}
            maxLength={300}
            value={details.pinned[part] ?? ''}
            onChange={(event) => change({ pinned: { ...details.pinned, [part]: event.currentTarget.value } })}
            {...plainText}
          />
        );
      })}
    </Fold>
  );
}

/** Returns the places that a person named, without the emptied ones. */
const namedOf = (pinned: Server['pinned']): Server['pinned'] =>
  Object.fromEntries(Object.entries(pinned).filter(([, path]) => path !== ''));

function sayPlaces(places: Server['learned']): string {
  const said = dialectParts.flatMap((part) => {
    const path = places[part];
    return path === undefined ? [] : [t(`server.placeOf.${part}`, { path })];
  });
  return said.length === 0 ? t('server.notLearned') : said.join(', ');
}
