import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { FoundInterface } from '../../../preload/contract/interface.ts';
import { OutsideText } from '../../components/outside-text.tsx';
import { type CallName, callNames, leftOut, mayBeNone, optionsOf, unsureOf } from './drafted.ts';
import classes from './interface-fold.module.css';
import { plainText } from '../../components/plain-text.ts';
import { useProof } from './proof.ts';
import type { Import } from './use-import.ts';

/** The name of a shipped description without what tells it from others of the same maker. */
export const shortName = (name: string): string => name.split(',', 1)[0] ?? name;

interface FoundCallsProps {
  found: FoundInterface;
  reads: Import;
}

/** Says what was left out of a text, and asks where it leaves something open. */
export function FoundCalls({ found, reads }: FoundCallsProps) {
  const { t } = useTranslation();
  const isDraft = reads.used === undefined;
  const left = leftOut(found);
  const names = left.map(({ name }) => (name === 'address' ? t('interface.left.address') : name));
  // A command and an archive are of a log-in that was made.
  const hasPassword = (found.format === 'curl' || found.format === 'har') && found.draft.calls.login !== undefined;
  const said = [...(hasPassword ? [t('interface.left.password')] : []), ...names].join(', ');
  const unsure = unsaidOf(found, t).join(', ');
  return (
    <>
      {said !== '' && (
        <p className={classes.help}>
          <OutsideText text={t('interface.left.said', { names: said })} />{' '}
          {!isDraft && left.some(({ isHeader }) => isHeader) && t('interface.left.headers')}
        </p>
      )}
      {reads.fits.length > 1 && !isDraft && <Fits reads={reads} />}
      {isDraft && <Missing found={found} reads={reads} />}
      {isDraft && <Choices found={found} reads={reads} />}
      {isDraft && unsure !== '' && (
        <p className={classes.help}>
          <OutsideText text={t('interface.unsure', { names: unsure })} />
        </p>
      )}
    </>
  );
}

/** Lets a person say which of several descriptions it is that have the same log-in. */
function Fits({ reads: { fits, used, choose } }: { reads: Import }) {
  const { t } = useTranslation();
  const sayProof = useProof();
  const group = useId();
  return (
    <fieldset className={classes.ways}>
      <legend className={classes.legend}>{t('interface.which')}</legend>
      <div className={classes.options}>
        {fits.map((each) => (
          <label key={each.id} className={classes.option}>
            <input type="radio" name={group} checked={each.id === used?.id} onChange={() => choose({ use: each.id })} />
            <span className="strong">{each.name}</span>
            <span className={classes.proof}>{sayProof(each)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Asks for the paths of the calls that are not in the text. */
function Missing({ found, reads: { choice, choose } }: FoundCallsProps) {
  const { t } = useTranslation();
  return found.missing.map((name) => (
    <TextInput
      key={name}
      label={t(`interface.pathOf.${name}`)}
      description={t('interface.pathHelp')}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      classNames={{ input: 'size13 mono' }}
      maxLength={400}
      value={choice.paths[name] ?? ''}
      onChange={(event) => choose({ paths: { ...choice.paths, [name]: event.currentTarget.value } })}
      {...plainText}
    />
  ));
}

/** Asks which call of the text is which, where others may be meant. */
function Choices({ found, reads: { choice, choose } }: FoundCallsProps) {
  const { t } = useTranslation();
  return unsureOf(found).map((name) => (
    <NativeSelect
      key={name}
      label={t(`interface.calls.${name}`)}
      description={t('interface.notCertain')}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      value={choice.calls[name] ?? 0}
      onChange={(event) => choose({ calls: { ...choice.calls, [name]: Number(event.currentTarget.value) } })}
      data={[
        ...optionsOf(found, name).map(({ call, from }, index) => {
          const line = `${call.method} ${found.draft.prefix}${call.path}`;
          return { value: String(index), label: from === undefined || from === line ? line : `${line} (${from})` };
        }),
        ...(mayBeNone(name) ? [{ value: '-1', label: t('interface.none') }] : []),
      ]}
    />
  ));
}

/** What is a guess, and is not asked about: it is to be looked at in the calls. */
function unsaidOf(found: FoundInterface, t: TFunction): string[] {
  const asked = unsureOf(found);
  const names = found.parts.flatMap(({ at, is }) => {
    if (is !== 'guess') return [];
    const call = callNames.find((name) => at === `calls.${name}` || at.startsWith(`calls.${name}.`));
    if (call)
      return asked.includes(call) && !at.includes('.body') ? [] : [t(`interface.calls.${call satisfies CallName}`)];
    return [
      t(
        at === 'security'
          ? 'interface.guess.security'
          : at === 'csrf'
            ? 'interface.guess.csrf'
            : 'interface.guess.outputs',
      ),
    ];
  });
  return [...new Set(names)];
}
