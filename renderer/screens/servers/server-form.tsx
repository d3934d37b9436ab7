import { NativeSelect, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Server } from '../../../preload/contract/models.ts';
import type { MappedPart, ServerColour } from '../../../preload/contract/settings.ts';
import { Outcome } from '../../answers/outcome.tsx';
import { useApp } from '../../api.ts';
import { Fold } from '../../components/fold.tsx';
import { plainText } from '../../components/plain-text.ts';
import { callFormatters, formatRelative } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useNow } from '../../use-now.ts';
import { ConnectionFolds, HeadersFold } from './connection-folds.tsx';
import { InterfaceFold } from './interface-fold.tsx';
import classes from './server-form.module.css';
import { useServerFormContext } from './use-server-form.ts';

/**
 * All fields of a server. API types, paths and response mappings are shown in Tools mode only; existing extra headers
 * always are.
 */
export function ServerForm({ id }: { id: string }) {
  const { form, formRef, isRunHere, server, submit } = useServerFormContext();
  const isWorkbench = useApp().settings.workbench;
  const { headers = [] } = form.values.connection;
  return (
    <form id={id} ref={formRef} className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      <BasicFields />
      <div className="card">
        {isWorkbench && !isRunHere && <InterfaceFold />}
        {isWorkbench && (server?.interface.registrations.length ?? 2) > 1 && <RegistrationPathFold />}
        {isWorkbench && <ResponseMappingFold />}
        {!isRunHere && <ConnectionFolds />}
        {!isRunHere && (isWorkbench || headers.length > 0) && <HeadersFold />}
        {isWorkbench && server && <LastCallsFold server={server} />}
        <NotesFold />
      </div>
    </form>
  );
}

/** The error is directly below its field, and the hint below the error. */
const hintBelow: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

function BasicFields() {
  const { form, server, isRunHere, isMoved } = useServerFormContext();
  const { name, colour, production } = form.values;
  const addressHelp = server?.builtIn
    ? t('server.addressBuiltIn')
    : isRunHere
      ? t('mocks.addressHelp')
      : isMoved && t('server.addressHelp');
  return (
    <section className="card padded grid gap16" aria-label={t('server.face')}>
      <div className={classes.two}>
        {!server?.builtIn && (
          <TextInput
            label={t('server.name')}
            description={name === '' && t('server.nameHelp')}
            inputWrapperOrder={hintBelow}
            maxLength={100}
            {...form.getInputProps('name')}
            {...plainText}
          />
        )}
        <TextInput
          label={t('server.address')}
          description={addressHelp}
          inputWrapperOrder={hintBelow}
          classNames={{ input: 'size13 mono' }}
          inputMode="url"
          readOnly={isRunHere}
          {...form.getInputProps('address')}
          {...plainText}
        />
      </div>
      <div className={classes.traits}>
        <ColourField />
        {!isRunHere && (
          <Switch
            size="xs"
            color="red"
            classNames={{ body: classes.switchBody, label: 'normal medium', description: classes.switchHelp }}
            label={t('server.productionFlag')}
            description={production && t('server.productionHelp')}
            checked={production}
            onChange={({ currentTarget: { checked } }) =>
              form.setValues({ production: checked, colour: colourFor(checked, colour) })
            }
          />
        )}
      </div>
    </section>
  );
}

/** Red is reserved for production. */
function colourFor(production: boolean, colour: ServerColour): ServerColour {
  if (production) return 'red';
  return colour === 'red' ? 'gray' : colour;
}

/** Without red, which is reserved for production. */
const colours: readonly ServerColour[] = ['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'purple', 'pink'];

function ColourField() {
  const { form, server } = useServerFormContext();
  const name = useId();
  const { colour } = form.values;
  // A new server gets its colour automatically, unless one is chosen.
  const chosen = !server && colour === 'gray' ? undefined : colour;
  return (
    <fieldset className={classes.colours}>
      <legend className={classes.legend}>{t('server.colour')}</legend>
      <div className="wrapping">
        {colours.map((each) => (
          <input
            key={each}
            type="radio"
            name={name}
            className={classes.swatch}
            data-colour={each}
            aria-label={t(`colour.${each}`)}
            title={t(`colour.${each}`)}
            checked={each === chosen}
            onChange={() => form.setFieldValue('colour', each)}
          />
        ))}
      </div>
    </fieldset>
  );
}

const paths = { registro: '/registro', register: '/register' } as const;

function RegistrationPathFold() {
  const { form } = useServerFormContext();
  return (
    <Fold title={t('server.pathTitle')} value={paths[form.values.registrationPath]}>
      <NativeSelect
        label={t('server.path')}
        data={Object.entries(paths).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps('registrationPath')}
      />
    </Fold>
  );
}

const dialectParts: readonly MappedPart[] = ['token', 'user', 'message'];

function ResponseMappingFold() {
  const { form, server } = useServerFormContext();
  const { pinned } = form.values;
  const { learned = {} } = server ?? {};
  const summary = dialectParts.flatMap((part) => {
    const path = pinned[part] || learned[part];
    return path === undefined ? [] : [t(`server.placeOf.${part}`, { path })];
  });
  return (
    <Fold title={t('server.dialect')} value={summary.length === 0 ? t('server.notLearned') : summary.join(', ')}>
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
            {...form.getInputProps(`pinned.${part}`)}
            value={pinned[part] ?? ''}
            {...plainText}
          />
        );
      })}
    </Fold>
  );
}

/** The last requests to a server's address, from which its mark is derived. */
function LastCallsFold({ server: { lastCalls } }: { server: Server }) {
  const formatters = callFormatters();
  const newest = lastCalls[0]?.at;
  const now = useNow(newest === undefined ? undefined : Date.parse(newest));
  if (newest === undefined) {
    return (
      <Fold title={t('server.lastAnswers')} value={t('server.mark.notAsked')}>
        <p className="flush text muted">{t('server.mark.never')}</p>
      </Fold>
    );
  }
  const ago = formatRelative(new Date(Math.min(Date.parse(newest), now - 1000)), now, 'long');
  return (
    <Fold title={t('server.lastAnswers')} value={`${lastCalls.length}, ${ago}`}>
      <table className={classes.calls}>
        <thead>
          <tr>
            <th>{t('server.answers.call')}</th>
            <th>{t('server.answers.answer')}</th>
            <th>{t('server.answers.time')}</th>
            <th>{t('server.answers.when')}</th>
          </tr>
        </thead>
        <tbody>
          {lastCalls.map((call, index) => (
            // Calls have no id, and are added at the top only, so the key counts from the end.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={`${call.at} ${lastCalls.length - index}`}>
              <td>{call.operation ? t(`server.operation.${call.operation}`) : call.method}</td>
              <td>
                <Outcome call={call} />
              </td>
              <td>{formatters.duration(call.ms)}</td>
              <td title={formatters.wholeMoment(call.at)}>
                {index === 0 ? ago : formatters.moment(call.at, new Date(now))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Fold>
  );
}

function NotesFold() {
  const { form } = useServerFormContext();
  const [first = ''] = form.values.notes.trim().split('\n');
  return (
    <Fold title={t('server.notes')} value={first === '' ? t('server.optional') : first.slice(0, 60)} data-notes>
      <Textarea aria-label={t('server.notes')} rows={3} maxLength={5_000} {...form.getInputProps('notes')} />
    </Fold>
  );
}
