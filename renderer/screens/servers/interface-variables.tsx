import { TextInput } from '@mantine/core';
import type { EnteredInterface, InterfaceFault, ShownInterface } from '../../../preload/contract/connection.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { plainText } from '../../components/plain-text.ts';
import { faultText } from './interface-text.ts';
import { t } from '../../i18n.ts';

interface VariablesProps {
  variables: ShownInterface['variables'];
  server: Server | undefined;
  entered: EnteredInterface;
  onChange: (entered: EnteredInterface) => void;
  /** Whether the address is another one than the saved secrets belong to. */
  isMoved: boolean;
  /** What main could not use of the values. */
  faults: readonly InterfaceFault[];
}

/** Asks for what a description leaves open. A secret is typed here and never shown again. */
export function Variables({ variables, server, entered, onChange, isMoved, faults }: VariablesProps) {
  const change = (name: string, value: string) =>
    onChange({
      ...entered,
      variables: [...entered.variables.filter((each) => each.name !== name), { name, value }],
    });
  return variables.map(({ name, secret, description, usual }) => {
    const kept = server?.interface.variables.find((each) => each.name === name && each.secret);
    const saved = kept && (!kept.isSet ? 'isMissing' : isMoved ? 'isDropped' : 'isSet');
    const fault = faults.find((each) => each.at === 'variables' && each.name === name);
    const input = {
      label: <bdi>{name}</bdi>,
      description: description !== undefined && <UntrustedText text={description} />,
      value: entered.variables.find((each) => each.name === name)?.value ?? '',
      onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
      error: fault && faultText(fault),
      maxLength: 8000,
    };
    return secret ? (
      <SecretInput
        key={name}
        {...input}
        visible={false}
        autoComplete="off"
        placeholder={saved && t(`extraHeaders.saved.${saved}`)}
      />
    ) : (
      <TextInput key={name} {...input} classNames={{ input: 'size13 mono' }} placeholder={usual} {...plainText} />
    );
  });
}
