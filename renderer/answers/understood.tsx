import { Text } from '@mantine/core';
import type { Understanding } from '../../preload/contract/models.ts';
import { sayRule } from '../say-rule.ts';
import { useTexts } from '../texts.tsx';
import { Fields } from './fields.tsx';

/** Shows how one answer was taken, what was found where in it, and by which rules. */
export function UnderstoodAnswer({ answer }: { answer: Understanding }) {
  const { t } = useTexts();
  const { verdict, rule, found } = answer;
  return (
    <Fields
      fields={[
        { label: t('understood.verdict'), value: <Finding place={verdict} rule={rule} /> },
        ...found.map((each) => ({
          label: t(`understood.${each.what}`),
          value: <Finding place={each.path} rule={each.rule} />,
        })),
      ]}
    />
  );
}

function Finding({ place, rule }: { place: string; rule: string }) {
  const { i18n } = useTexts();
  return (
    <>
      <Text inherit ff="monospace">
        <bdi>{place}</bdi>
      </Text>
      <Text size="xs" c="dimmed">
        {sayRule(rule, i18n)}
      </Text>
    </>
  );
}
