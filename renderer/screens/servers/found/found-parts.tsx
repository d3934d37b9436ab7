import { Button, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { InterfaceFault } from '../../../../preload/contract/connection.ts';
import { plainText } from '../../../components/plain-text.ts';
import type { CallName, CallOption } from '../drafted.ts';
import { useFaultWords } from '../use-fault-words.ts';
import type { OpenImport } from '../use-import.ts';
import { AddressPart } from './address-part.tsx';
import { CallPart } from './call-part.tsx';
import { CsrfPart } from './csrf-part.tsx';
import { readObject, writeObject, type JsonObject } from './description-json.ts';
import { editing } from './editing.ts';
import { FieldsPart } from './fields-part.tsx';
import classes from './found-parts.module.css';
import { HeadersPart } from './headers-part.tsx';
import { marksOf } from './marked-parts.ts';
import { type Mark, partOf, type PartName } from './part-marks.ts';
import { SentAsPart } from './sent-as-part.tsx';
import { TokenPart } from './token-part.tsx';
import { t } from '../../../i18n.ts';

interface FoundPartsProps {
  open: OpenImport;
  /** What is wrong with the description as it is now. */
  faults: readonly InterfaceFault[];
}

/** Lists the parts of what was found, each with how certain it is. Every one can be changed here, or all as JSON. */
export function FoundParts({ open, faults }: FoundPartsProps) {
  const sayFault = useFaultWords();
  const [isJson, setJson] = useState(false);
  const now = readObject(open.text);
  const marks = now ? marksOf(open, now, faults) : [];
  const loose = faults.filter(({ at }) => partOf(at) === undefined);
  const wrong = isJson || !now ? faults : loose;
  return (
    <div className="grid gap8">
      <div className={classes.head}>
        <span className={classes.sum}>{useSum(marks.map(([, mark]) => mark))}</span>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          aria-pressed={isJson}
          // What is no JSON has no parts to be shown.
          aria-disabled={isJson && !now}
          onClick={() => (!isJson || now) && setJson(!isJson)}
        >
          {t('interface.parts.asJson')}
        </Button>
      </div>
      {isJson || !now ? (
        <Textarea
          label={t('interface.parts.json')}
          classNames={{ input: 'size13 mono' }}
          autosize
          minRows={8}
          maxRows={24}
          value={open.text}
          onChange={(event) => open.setText(event.currentTarget.value)}
          error={wrong.length > 0 && wrong.map((fault) => sayFault(fault)).join(' ')}
          errorProps={{ component: 'div', role: 'alert' }}
          {...plainText}
        />
      ) : (
        <>
          <ul className={classes.parts} aria-label={t('interface.parts.title')}>
            {marks.map(([part, mark]) => (
              <Part key={part} part={part} mark={mark} open={open} now={now} />
            ))}
          </ul>
          {wrong.length > 0 && (
            <p className={classes.wrong} role="alert">
              {wrong.map((fault) => sayFault(fault)).join(' ')}
            </p>
          )}
        </>
      )}
    </div>
  );
}

/** Says how many parts there are of each certainty. */
function useSum(marks: readonly Mark[]): string {
  const count = (wanted: Mark['is']) => marks.filter(({ is }) => is === wanted).length;
  const kinds = (['sure', 'guess', 'missing'] as const).filter((is) => count(is) > 0);
  return kinds.map((is) => t(`interface.parts.count.${is}`, { count: count(is) })).join(', ');
}

const none: readonly CallOption[] = [];

function Part({ part, mark, open, now }: { part: PartName; mark: Mark; open: OpenImport; now: JsonObject }) {
  const edit = editing(now, (next) => open.setText(writeObject(next)));
  const call = (name: CallName) => <CallPart name={name} mark={mark} edit={edit} others={open.others[name] ?? none} />;
  const { addresses, address, said, setAddress } = open;
  const rows: Readonly<Record<PartName, () => ReactNode>> = {
    address: () => <AddressPart {...{ mark, addresses, address, said, onAddress: setAddress }} />,
    login: () => call('login'),
    fields: () => <FieldsPart mark={mark} edit={edit} />,
    token: () => <TokenPart mark={mark} edit={edit} />,
    sentAs: () => <SentAsPart mark={mark} edit={edit} />,
    csrf: () => <CsrfPart mark={mark} edit={edit} />,
    headers: () => <HeadersPart mark={mark} edit={edit} />,
    profile: () => call('profile'),
    register: () => call('register'),
    logout: () => call('logout'),
    refresh: () => call('refresh'),
  };
  return rows[part]();
}
