import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PriceRow } from '../../api/pricing.ts';
import { useStatus } from '../../api/status.ts';
import { SearchInput } from '../../components/form/search-input.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { contextSize } from '../../state/compact-number.ts';
import { useIsMobile } from '../../state/media.ts';
import { usePriceText } from '../../state/price-text.ts';
import { priceOf } from '../pricing/price.ts';

const useStyles = makeStyles({
  name: { fontFamily: tokens.fontFamilyMonospace },
  maker: { display: 'block', color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  search: { width: '240px', maxWidth: '100%', '@media (max-width: 600px)': { width: '100%' } },
});

/** The price page has the rest. */
const shown = 8;

/** What is served now, and what it costs. */
export function ModelCard({ rows, groupRatio }: { rows: PriceRow[]; groupRatio: number }) {
  const { t } = useTranslation('home');
  const styles = useStyles();
  const isMobile = useIsMobile();
  const priceTexts = usePriceTexts(groupRatio);
  const [typed, setTyped] = useState('');
  const words = typed.trim().toLowerCase();
  const hits = rows.filter(({ model_name, maker }) => `${model_name} ${maker}`.toLowerCase().includes(words));
  const context = ({ context_window: size }: PriceRow) => (size > 0 ? contextSize(size) : '–');
  return (
    <SectionCard
      title={t('model.title')}
      purpose={t('model.text')}
      aside={
        <SearchInput
          className={styles.search}
          aria-label={t('model.search')}
          placeholder={t('model.search')}
          maxLength={64}
          value={typed}
          onChange={(_event, { value }) => setTyped(value)}
        />
      }
    >
      {hits.length === 0 ? (
        <Text role="status">{t('model.empty')}</Text>
      ) : (
        <SmallTable
          label={t('model.title')}
          columns={[
            { title: t('model.name') },
            ...(isMobile ? [] : [{ title: t('model.context'), isNumber: true }]),
            { title: t('model.input'), isNumber: true },
            { title: t('model.output'), isNumber: true },
          ]}
          rows={hits.slice(0, shown).map((row) => ({
            key: row.model_name,
            cells: [
              <span key="name">
                <span className={styles.name}>{row.model_name}</span>
                {row.maker && <span className={styles.maker}>{row.maker}</span>}
              </span>,
              ...(isMobile ? [] : [context(row)]),
              ...priceTexts(row),
            ],
          }))}
        />
      )}
      {rows.length > shown && (
        <Text>
          <TextLink to="/pricing">{t('model.all', { count: rows.length })}</TextLink>
        </Text>
      )}
    </SectionCard>
  );
}

/** What goes in and what comes out; a fixed price stands in the first place. */
function usePriceTexts(groupRatio: number): (row: PriceRow) => [string, string] {
  const { t } = useTranslation('home');
  const { quota_per_unit: quotaPerUnit } = useStatus();
  const money = usePriceText();
  return (row) => {
    const price = priceOf(row, { groupRatio, unit: '1M', quotaPerUnit });
    if (!price) return ['–', '–'];
    if ('perCall' in price) return [t('model.perRequest', { price: money(price.perCall) }), '–'];
    if ('perSecond' in price) return [t('model.perSecond', { price: money(price.perSecond) }), '–'];
    return [money(price.prompt), money(price.completion)];
  };
}
