import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { pricedVideo } from '../../../../core/schemas/video-price.ts';
import { usePriceText } from '../../state/price-text.ts';
import type { ModelPrice, Unit } from './price.ts';

const kinds = ['prompt', 'cached', 'cacheWrite', 'completion', 'audioInput', 'audioOutput'] as const;

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

/** Every price a model has: of what came from a cache and of sound too. */
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
    return kinds.flatMap((kind) => {
      const quota = one[kind];
      return quota === undefined ? [] : [{ name: t(`detail.${kind}`), text: `${money(quota)} / ${unit}` }];
    });
  }

  return (
    <dl className={styles.prices}>
      {linesOf(price).map(({ name, text }) => (
        <div key={name} className={styles.price}>
          <dt className={styles.name}>{name}</dt>
          <dd className={styles.figure}>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
