import { useId } from 'react';
import type { FoundInterface, InterfaceFinding } from '../../../preload/contract/interface.ts';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { leftOut } from './interface-draft.ts';
import classes from './interface-fold.module.css';
import { proofText } from './interface-text.ts';
import type { Import } from './use-import.ts';
import { t } from '../../i18n.ts';

/** The name of a shipped description without what tells it from others of the same maker. */
export const shortName = (name: string): string => name.split(',', 1)[0] ?? name;

/** Says what of a text was not read. */
export function Notes({ finding }: { finding: InterfaceFinding | undefined }) {
  const notes = finding && 'notes' in finding ? (finding.notes ?? []) : [];
  return notes.map(({ kind, said = '' }) => (
    <p key={`${kind} ${said}`} className={classes.help}>
      <UntrustedText text={t(`interface.note.${kind}`, { said })} />
    </p>
  ));
}

/** Says what was left out of a text since it looks secret. */
export function LeftOut({ found, isShipped }: { found: FoundInterface; isShipped: boolean }) {
  const left = leftOut(found);
  const names = left.map(({ name }) => (name === 'address' ? t('interface.left.address') : name));
  // A command and an archive are of a log-in that was made.
  const hasPassword = (found.format === 'curl' || found.format === 'har') && found.draft.calls.login !== undefined;
  const said = [...(hasPassword ? [t('interface.left.password')] : []), ...names].join(', ');
  if (said === '') return undefined;
  return (
    <p className={classes.help}>
      <UntrustedText text={t('interface.left.said', { names: said })} />{' '}
      {isShipped && left.some(({ isHeader }) => isHeader) && t('interface.left.headers')}
    </p>
  );
}

/** Lets a person say which of several descriptions it is that have the same log-in. */
export function Fits({ reads: { fits, used, choose } }: { reads: Import }) {
  const group = useId();
  return (
    <fieldset className={classes.ways}>
      <legend className={classes.legend}>{t('interface.which')}</legend>
      <div className={classes.options}>
        {fits.map((each) => (
          <label key={each.id} className={classes.option}>
            <input type="radio" name={group} checked={each.id === used?.id} onChange={() => choose(each.id)} />
            <span className="strong">{each.name}</span>
            <span className={classes.proof}>{proofText(each)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
