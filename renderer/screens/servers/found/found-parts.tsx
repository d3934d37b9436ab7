import { Button, Menu, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { plainText } from '../../../components/plain-text.ts';
import {
  type CallName,
  type CallOption,
  type DescriptionEditor,
  editorOf,
  isObject,
  type JsonObject,
  readObject,
  withAt,
  writeObject,
} from './description.ts';
import type { EditedImport } from '../interface-draft.ts';
import { faultText } from '../interface-text.ts';
import { useImportContext } from '../use-import.ts';
import { CallPart, FieldsPart, fillingText } from './call-part.tsx';
import { CsrfPart, SentAsPart, TokenPart, SecondFactorPart } from './session-parts.tsx';
import classes from './found-parts.module.css';
import { type Mark, marksOf, type PartName, partOf } from './part-marks.ts';
import { t } from '../../../i18n.ts';
import type { FoundInterface } from '../../../../preload/contract/interface.ts';
import { ProductionLabel } from '../../../components/chip.tsx';
import { ChevronIcon } from '../../../components/icons.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { PartRow } from './part-row.tsx';

/** The parts of an import, each with its certainty. All can be edited here, or as JSON. */
export function FoundParts({ edited }: { edited: EditedImport }) {
  const { editedFaults: faults } = useImportContext();
  const [isJson, setJson] = useState(false);
  const now = readObject(edited.text);
  const marks = now ? marksOf(edited, now, faults) : [];
  const loose = faults.filter(({ at }) => partOf(at) === undefined);
  const wrong = isJson || !now ? faults : loose;
  return (
    <div className="grid gap8">
      <div className="row wrap gap8">
        <span className="grow text soft">{sumText(marks.map(([, mark]) => mark))}</span>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          aria-pressed={isJson}
          // Invalid JSON has no parts to show.
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
          value={edited.text}
          onChange={(event) => edited.setText(event.currentTarget.value)}
          error={wrong.length > 0 && wrong.map((fault) => faultText(fault)).join(' ')}
          errorProps={{ component: 'div', role: 'alert' }}
          {...plainText}
        />
      ) : (
        <>
          <ul className="list outlined round10 clip surface" aria-label={t('interface.parts.title')}>
            {marks.map(([part, mark]) => (
              <Part key={part} part={part} mark={mark} edited={edited} now={now} />
            ))}
          </ul>
          {wrong.length > 0 && (
            <p className={classes.wrong} role="alert">
              {wrong.map((fault) => faultText(fault)).join(' ')}
            </p>
          )}
        </>
      )}
    </div>
  );
}

/** Number of parts by certainty. */
function sumText(marks: readonly Mark[]): string {
  const count = (wanted: Mark['is']) => marks.filter(({ is }) => is === wanted).length;
  const kinds = (['sure', 'guess', 'missing'] as const).filter((is) => count(is) > 0);
  return kinds.map((is) => t(`interface.parts.count.${is}`, { count: count(is) })).join(', ');
}

const none: readonly CallOption[] = [];

function Part({ part, mark, edited, now }: { part: PartName; mark: Mark; edited: EditedImport; now: JsonObject }) {
  const edit = editorOf(now, (next) => edited.setText(writeObject(next)));
  const call = (name: CallName) => (
    <CallPart name={name} mark={mark} edit={edit} others={edited.others[name] ?? none} />
  );
  const { addresses, address, importedAddress, setAddress } = edited;
  const rows: Readonly<Record<PartName, () => ReactNode>> = {
    address: () => <AddressPart {...{ mark, addresses, address, importedAddress, onAddress: setAddress }} />,
    login: () => call('login'),
    fields: () => <FieldsPart mark={mark} edit={edit} />,
    secondFactor: () => <SecondFactorPart mark={mark} edit={edit} />,
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

type Addresses = FoundInterface['addresses'];

interface AddressPartProps {
  mark: Mark;
  addresses: Addresses;
  address: string;
  /** The address in the imported text. */
  importedAddress: string | undefined;
  /** `production` is true only where the imported text says so. */
  onAddress: (address: string, production: boolean) => void;
}

/** Edits the address of the requests: one of the imported text, or any other. */
function AddressPart({ mark, addresses, address, importedAddress, onAddress }: AddressPartProps) {
  const [isOther, setOther] = useState(false);
  const chosen = isOther ? undefined : addresses.find((each) => each.address === address);
  const isTyped = addresses.length === 0 || isOther || (address !== '' && !chosen);
  return (
    <PartRow
      part="address"
      mark={mark}
      shown={
        <>
          <bdi className="mono">{address}</bdi>
          {chosen?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
        </>
      }
      note={
        importedAddress === undefined || importedAddress === address
          ? undefined
          : t('interface.parts.textHas', { address: importedAddress })
      }
    >
      <div className={classes.controls}>
        {addresses.length > 0 && (
          <Choice
            addresses={addresses}
            chosen={chosen}
            isTyped={isTyped}
            onChoose={(each) => {
              setOther(each === undefined);
              onAddress(each?.address ?? '', each?.production ?? false);
            }}
          />
        )}
        {isTyped ? (
          <TextInput
            className={classes.long ?? ''}
            classNames={{ input: 'size13 mono' }}
            aria-label={t('interface.parts.of.address')}
            inputMode="url"
            value={address}
            onChange={(event) => onAddress(event.currentTarget.value, false)}
            {...plainText}
          />
        ) : (
          chosen && <UntrustedText className="mono size12" text={chosen.address} />
        )}
        {chosen?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      </div>
    </PartRow>
  );
}

interface ChoiceProps {
  addresses: Addresses;
  chosen: Addresses[number] | undefined;
  isTyped: boolean;
  /** Undefined for another address, which is typed. */
  onChoose: (address: Addresses[number] | undefined) => void;
}

function Choice({ addresses, chosen, isTyped, onChoose }: ChoiceProps) {
  const label = chosen
    ? (chosen.name ?? chosen.address)
    : t(isTyped ? 'interface.parts.otherAddress' : 'interface.parts.choose');
  return (
    <Menu position="bottom-start" width={320}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          rightSection={<ChevronIcon size={14} />}
          aria-label={`${t('interface.parts.of.address')}: ${label}`}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {addresses.map((each) => (
          <Menu.Item
            key={`${each.name} ${each.address}`}
            rightSection={each.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
            onClick={() => onChoose(each)}
          >
            {each.name !== undefined && <UntrustedText className="block" text={each.name} />}
            <UntrustedText className="mono hint" text={each.address} />
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => onChoose(undefined)}>{t('interface.parts.otherAddress')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Edits the values of the fixed headers of all requests. */
function HeadersPart({ mark, edit }: { mark: Mark; edit: DescriptionEditor }) {
  const headers = Object.entries(isObject(edit.now['headers']) ? edit.now['headers'] : {});
  return (
    <PartRow
      part="headers"
      mark={mark}
      shown={headers.map(([name, value]) => (
        <bdi key={name} className="mono">
          {name}: {fillingText(value)}
        </bdi>
      ))}
    >
      <div className={classes.controls}>
        {headers.map(([name, value]) => (
          <TextInput
            key={name}
            className={classes.long ?? ''}
            classNames={{ input: 'size13 mono' }}
            label={<bdi>{name}</bdi>}
            maxLength={2000}
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => edit.change(withAt(edit.now, ['headers', name], event.currentTarget.value))}
            {...plainText}
          />
        ))}
      </div>
    </PartRow>
  );
}
