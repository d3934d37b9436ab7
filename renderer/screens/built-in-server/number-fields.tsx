import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from '../../i18n.ts';

export interface Limits {
  least: number;
  most: number;
  /** Whether decimals are allowed, after a point or a comma. */
  decimals?: boolean;
}

/** Parses a number as it was entered; undefined if it is no number, or out of range. */
export function parseNumber(text: string, { least, most, decimals = false }: Limits): number | undefined {
  const typed = text.trim().replace(',', '.');
  if (!(decimals ? /^\d{1,10}(?:\.\d{1,4})?$/ : /^\d{1,10}$/).test(typed)) return undefined;
  const number = Number(typed);
  return number >= least && number <= most ? number : undefined;
}

export const limitsText = ({ decimals, least, most }: Limits): string =>
  t(decimals ? 'builtIn.decimal' : 'builtIn.number', { least, most });

const seedLimits: Limits = { least: 0, most: 4_294_967_295 };

interface SeedFieldProps {
  form: ReturnType<typeof useSeedForm>['form'];
  label: string;
  description: string;
  className?: string | undefined;
}

/** A form with the seed of random numbers. `submit` calls `onSeed` with a valid one, or shows the error. */
export function useSeedForm(first: number, onSeed: (seed: number) => void) {
  const form = useForm({
    initialValues: { seed: String(first) },
    validate: { seed: (text) => parseNumber(text, seedLimits) === undefined },
  });
  const submit = form.onSubmit(
    ({ seed }) => onSeed(Number(seed)),
    () => form.getInputNode('seed')?.focus(),
  );
  return { form, submit };
}

export const SeedField = ({ form, label, description, className }: SeedFieldProps) => (
  <TextInput
    {...form.getInputProps('seed')}
    size="xs"
    label={label}
    description={description}
    descriptionProps={{ size: 'md' }}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    classNames={{ root: className ?? '' }}
    maw={className === undefined ? 320 : undefined}
    inputMode="numeric"
    error={form.errors['seed'] && limitsText(seedLimits)}
  />
);
