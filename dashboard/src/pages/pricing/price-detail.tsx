import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { pricedVideo } from '../../../../core/schemas/video-price.ts';
import { contextSize } from '../../state/compact-number.ts';
import { usePriceText } from '../../state/price-text.ts';
import type { ModelPrice, Unit } from './price.ts';

const kinds = [
  ...(['prompt', 'cached', 'cacheWrite', 'cacheWriteHour', 'completion'] as const),
  ...(['audioInput', 'audioOutput', 'imageInput', 'imageOutput'] as const),
];

const useStyles = makeStyles({
  prices: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalXXL}`,
    margin: 0,
    padding: tokens.spacingHorizontalL,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  price: { display: 'flex', flexDirection: 'column', minWidth: '110px' },
  name: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  figure: { margin: 0, fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums' },
});

/** Every price a model has: of caches, sound and pictures, of long prompts, and of the service tiers that a request can ask for. */
export function PriceDetail({ price, unit }: { price: ModelPrice | undefined; unit: Unit }) {
  const { t } = useTranslation('pricing');
  const styles = useStyles();
  const money = usePriceText();
  if (!price) return <Text>{t('refused')}</Text>;

  function linesOf(one: ModelPrice): { name: string; text: string }[] {
    if ('perCall' in one) return [{ name: t('kind.call'), text: t('perCall', { price: money(one.perCall) }) }];
    if ('perSecond' in one) {
      return [
        { name: t('detail.upTo', pricedVideo), text: t('perSecond', { price: money(one.perSecond) }) },
        { name: t('detail.larger', pricedVideo), text: t('perSecond', { price: money(one.perLargeSecond) }) },
      ];
    }
    const per = (quotas: number[]) => `${quotas.map(money).join(' · ')} / ${unit}`;
    return [
      ...kinds.flatMap((kind) => {
        const quota = one[kind];
        return quota === undefined ? [] : [{ name: t(`detail.${kind}`), text: per([quota]) }];
      }),
      ...(one.long
        ? [
            {
              name: t('detail.long', { size: contextSize(one.long.above) }),
              text: per([one.long.prompt, one.long.cached, one.long.completion]),
            },
          ]
        : []),
      ...(one.tiers ?? []).map(({ tier, prompt, completion }) => ({
        name: t([`tier.${tier}`, 'tier.other'], { tier }),
        text: per([prompt, completion]),
      })),
    ];
  }

  const hasTiers = 'tiers' in price && price.tiers !== undefined && price.tiers.length > 0;
  return (
    <>
      <dl className={styles.prices}>
        {linesOf(price).map(({ name, text }) => (
          <div key={name} className={styles.price}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.figure}>{text}</dd>
          </div>
        ))}
      </dl>
      {hasTiers && (
        <Text size={200} className={styles.name}>
          {t('tier.note')}
        </Text>
      )}
    </>
  );
}
