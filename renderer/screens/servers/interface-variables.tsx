import { TextInput } from '@mantine/core';
import type { InterfaceInput, InterfaceSummary } from '../../../preload/contract/connection.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { plainText } from '../../components/plain-text.ts';
import { SecretInput } from '../../components/secret-input.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';

type Values = InterfaceInput['variables'];

interface VariablesProps {
  variables: InterfaceSummary['variables'];
  values: Values;
  onChange: (values: Values) => void;
  /** Absent for a new server. */
  server?: Server | undefined;
  /** Whether the address was changed, so that the saved secrets no longer apply. */
  isMoved?: boolean;
  /** Errors of main, by `variables.` and the name. */
  errors?: Readonly<Record<string, string | boolean>>;
}

const noErrors: Readonly<Record<string, string | boolean>> = {};

/** Fields for the variables of an API description. Saved secrets are never sent to the window. */
export function Variables({ variables, values, onChange, server, isMoved = false, errors = noErrors }: VariablesProps) {
  return variables.map(({ name, secret, description, usual }) => {
    const kept = server?.interface.variables.find((each) => each.name === name && each.secret);
    const saved = kept && (!kept.isSet ? 'isMissing' : isMoved ? 'isDropped' : 'isSet');
    const input = {
      label: <bdi>{name}</bdi>,
      description: description !== undefined && <UntrustedText text={description} />,
      value: values.find((each) => each.name === name)?.value ?? '',
      onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
        onChange([...values.filter((each) => each.name !== name), { name, value }]),
      error: errors[`variables.${name}`],
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
