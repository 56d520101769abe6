import { Badge, makeStyles, Text, tokens } from '@fluentui/react-components';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { isPricedBySecond } from '../../../../core/schemas/video-price.ts';
import { useStatus } from '../../api/status.ts';
import type { Column, RowCard } from '../../components/list/column.ts';
import { RatioBadge } from '../../components/ratio-badge.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { contextSize } from '../../state/compact-number.ts';
import { useFormat } from '../../state/format.ts';
import { objectPath } from '../../state/object-path.ts';
import { usePriceText } from '../../state/price-text.ts';
import { isAdmin, sessionUser } from '../../state/session.ts';
import { ModelFactRow, RetirementBadge } from './model-fact-row.tsx';
import { type ModelPrice, priceOf, type Unit } from './price.ts';
import { PriceDetail } from './price-detail.tsx';
import type { PriceGroup, PriceLine } from './use-price-list.ts';

interface PriceColumnOptions {
  groups: PriceGroup[];
  group: PriceGroup | undefined;
  unit: Unit;
}

/** How a model's prices read, in a table and on a phone. */
export function usePriceColumns(options: PriceColumnOptions): {
  columns: Column<PriceLine>[];
  card: RowCard<PriceLine>;
  rowDetail: (row: PriceLine) => ReactNode;
} {
  const { groups, group, unit } = options;
  // Where a price comes from is the operator's own business.
  const user = sessionUser.use();
  const isOperator = isAdmin(user);
  // The navigation beside the page leaves no room for the ratios behind the prices; users can choose the column.
  const isBesideNavigation = user !== undefined;
  const { t } = useTranslation('pricing');
  const { quota_per_unit: quotaPerUnit } = useStatus();
  const money = usePriceText();
  const format = useFormat();
  return useMemo(() => {
    const groupRatio = group?.ratio ?? 1;
    const price = (row: PriceLine) => priceOf(row, { groupRatio, unit, quotaPerUnit });
    const fixed = (one: ModelPrice) => {
      if ('perCall' in one) return t('perCall', { price: money(one.perCall) });
      return 'perSecond' in one ? t('perSecond', { price: money(one.perSecond) }) : undefined;
    };
    const input = (row: PriceLine) => {
      const one = price(row);
      if (!one) return t('none');
      return fixed(one) ?? ('prompt' in one ? money(one.prompt) : '');
    };
    // Without a price of its own a cached token costs what any other of the prompt does.
    const cached = (row: PriceLine) => {
      const one = price(row);
      return one && 'prompt' in one ? money(one.cached ?? one.prompt) : t('none');
    };
    const output = (row: PriceLine) => {
      const one = price(row);
      return one && 'completion' in one ? money(one.completion) : t('none');
    };
    return {
      columns: [
        {
          key: 'model',
          title: t('field.model'),
          grow: 2.6,
          minWidth: 204,
          isInteractive: isBesideNavigation,
          cell: (row) => <ModelName row={row} isLink={isBesideNavigation} />,
        },
        {
          key: 'context',
          hiddenBelow: 1200,
          title: t('field.context'),
          grow: 0.7,
          minWidth: 80,
          isNumber: true,
          cell: ({ context_window: size }) =>
            size > 0 ? <span title={t('context', { size: format.number(size) })}>{contextSize(size)}</span> : t('none'),
        },
        {
          key: 'kind',
          // The prices show it; where a model has none, an operator sees that in the column of the source.
          isHidden: isOperator,
          hiddenBelow: 1440,
          title: t('field.kind'),
          grow: 0.7,
          minWidth: 90,
          cell: (row) => <KindBadge row={row} />,
        },
        { key: 'input', title: t('field.input', { unit }), minWidth: 108, isNumber: true, cell: input },
        { key: 'cached', title: t('field.cached', { unit }), minWidth: 108, isNumber: true, cell: cached },
        { key: 'output', title: t('field.output', { unit }), minWidth: 116, isNumber: true, cell: output },
        {
          key: 'ratio',
          isHidden: isBesideNavigation,
          hiddenBelow: 1440,
          title: t('field.ratio'),
          grow: 1.2,
          minWidth: 120,
          cell: (row) => <Ratios row={row} />,
        },
        {
          key: 'groups',
          hiddenBelow: 1440,
          title: t('field.groups'),
          grow: 1.3,
          minWidth: 120,
          cell: (row) => <Groups row={row} groups={groups} />,
        },
        ...(isOperator
          ? [
              {
                key: 'source',
                hiddenBelow: 1440 as const,
                title: t('field.source'),
                minWidth: 96,
                cell: (row: PriceLine) => t(`source.${row.price_source}`),
              },
            ]
          : []),
      ],
      card: {
        to: (row) => (isBesideNavigation ? objectPath.model(row.model_name) : undefined),
        status: (row) => <KindBadge row={row} />,
        figure: (row) => {
          const one = price(row);
          if (!one) return t('refused');
          if (!('prompt' in one)) return fixed(one);
          return t('perTokens', { prompt: money(one.prompt), completion: money(one.completion), unit });
        },
      },
      rowDetail: (row) => (
        <>
          <ModelFactRow row={row} />
          <PriceDetail price={price(row)} unit={unit} />
        </>
      ),
    };
  }, [groups, group, unit, quotaPerUnit, isOperator, isBesideNavigation, money, format, t]);
}

const useStyles = makeStyles({
  name: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase300 },
  model: { minWidth: 0 },
  maker: { color: tokens.colorNeutralForeground3 },
  groups: { display: 'flex', flexWrap: 'wrap', gap: '4px', padding: '4px 0' },
  ratios: { display: 'flex', flexDirection: 'column', color: tokens.colorNeutralForeground3 },
});

/** Signed in, it leads to the model's page. */
function ModelName({ row, isLink }: { row: PriceLine; isLink: boolean }) {
  const styles = useStyles();
  return (
    <div className={styles.model}>
      <Text weight="semibold" truncate wrap={false} block className={styles.name} title={row.model_name}>
        {isLink ? <TextLink to={objectPath.model(row.model_name)}>{row.model_name}</TextLink> : row.model_name}
      </Text>
      {row.maker && (
        <Text size={200} block className={styles.maker}>
          {row.maker}
        </Text>
      )}
      <RetirementBadge row={row} />
    </div>
  );
}

function KindBadge({ row }: { row: PriceLine }) {
  const { t } = useTranslation('pricing');
  if (row.price_source === 'none') {
    return (
      <Badge appearance="tint" color="warning">
        {t('source.none')}
      </Badge>
    );
  }
  const isFixed = row.quota_type === 1;
  const kind = isFixed ? (isPricedBySecond(row.model_name) ? 'second' : 'call') : 'token';
  return (
    <Badge appearance="tint" color={isFixed ? 'informative' : 'brand'}>
      {t(`kind.${kind}`)}
    </Badge>
  );
}

function Ratios({ row }: { row: PriceLine }) {
  const { t } = useTranslation('pricing');
  const styles = useStyles();
  if (row.quota_type === 1 || row.price_source === 'none') return t('none');
  return (
    <span className={styles.ratios}>
      <Text size={200}>{t('ratio.model', { ratio: tidy(row.model_ratio) })}</Text>
      <Text size={200}>{t('ratio.completion', { ratio: tidy(row.completion_ratio) })}</Text>
    </span>
  );
}

/** Figures of list prices are quotients. */
const tidy = (ratio: number) => Number(ratio.toPrecision(6));

/** Groups the reader may choose come with their ratio; of others only the name is known. */
function Groups({ row, groups }: { row: PriceLine; groups: PriceGroup[] }) {
  const styles = useStyles();
  return (
    <span className={styles.groups}>
      {row.enable_groups.map((name) => {
        const ratio = groups.find((one) => one.name === name)?.ratio;
        return ratio === undefined ? (
          <Badge key={name} appearance="tint" color="informative">
            {name}
          </Badge>
        ) : (
          <RatioBadge key={name} ratio={ratio}>
            {name}
          </RatioBadge>
        );
      })}
    </span>
  );
}
