import { Button, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { FoundInterface } from '../../../../preload/contract/interface.ts';
import { ProductionLabel } from '../../../components/chip.tsx';
import { ChevronIcon } from '../../../components/icons.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { plainText } from '../../../components/plain-text.ts';
import classes from './found-parts.module.css';
import type { Mark } from './part-marks.ts';
import { PartRow } from './part-row.tsx';
import { t } from '../../../i18n.ts';

type Addresses = FoundInterface['addresses'];

interface AddressPartProps {
  mark: Mark;
  addresses: Addresses;
  address: string;
  /** The one that the text is for. */
  said: string | undefined;
  /** Whether the address is in production is told where the text says it. */
  onAddress: (address: string, production: boolean) => void;
}

/** Shows which address the calls go to, and changes it: to one of the text by its name, or to any other. */
export function AddressPart({ mark, addresses, address, said, onAddress }: AddressPartProps) {
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
      note={said === undefined || said === address ? undefined : t('interface.parts.textHas', { address: said })}
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
  /** Undefined is another address, which is typed. */
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
