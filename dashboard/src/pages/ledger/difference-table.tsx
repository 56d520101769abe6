import { Text } from '@fluentui/react-components';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { LedgerProof } from '../../api/ledger.ts';
import { useHasCards } from '../../components/list/use-has-cards.ts';
import { SmallTable } from '../../components/small-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';

type Difference = LedgerProof['differences'][number];

/** Where the books disagree, in money and, one look away, in units. */
export function DifferenceTable({ differences }: { differences: Difference[] }) {
  const { t } = useTranslation('ledger');
  // A phone, and a tablet beside the navigation, has room for four columns: the figure's name is below its place there.
  const hasCards = useHasCards();
  return (
    <SmallTable
      label={t('difference.title')}
      isWide={!hasCards}
      columns={[
        { title: t('difference.where') },
        ...(hasCards ? [] : [{ title: t('difference.rule') }]),
        ...['expected', 'found', 'off'].map((key) => ({ title: t(`difference.${key}`), isNumber: true })),
      ]}
      rows={differences.map((difference) => {
        const { subject, id, rule, expected, found } = difference;
        return {
          key: `${subject} ${id} ${rule}`,
          cells: [
            <Fragment key="place">
              <Place {...difference} />
              {hasCards && <Text block>{t(`rule.${rule}`)}</Text>}
            </Fragment>,
            ...(hasCards ? [] : [t(`rule.${rule}`)]),
            <Money key="expected" quota={expected} />,
            <Money key="found" quota={found} />,
            <Money key="off" quota={found - expected} />,
          ],
        };
      })}
    />
  );
}

function Money({ quota }: { quota: number }) {
  const { t } = useTranslation('shell');
  const format = useFormat();
  return <span title={t('shell:units', { amount: format.number(quota) })}>{format.quota(quota)}</span>;
}

function Place({ subject, id }: Difference) {
  const { t } = useTranslation('ledger');
  const name = t(`subject.${subject}`, { id });
  return subject === 'user' || subject === 'channel' || subject === 'token' ? (
    <TextLink to={objectPath[subject](Number(id))}>{name}</TextLink>
  ) : (
    name
  );
}
