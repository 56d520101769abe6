import { Button, MessageBar, MessageBarBody, makeStyles, Text, ToggleButton, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadError } from '../../components/feedback/load-error.tsx';
import { SearchInput } from '../../components/form/search-input.tsx';
import { useOptionText } from '../../i18n/option-text.ts';
import { useFormat } from '../../state/format.ts';
import { DollarTable } from './dollar-table.tsx';
import { PricePager, pageOf } from './price-pager.tsx';
import { type DollarRow, useDollarPrices } from './use-dollar-prices.ts';
import { type PriceEffect, usePriceEffect } from './use-price-effect.ts';
import { optionOf, priceFields } from './use-prices.ts';

const useStyles = makeStyles({
  editor: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
  tools: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'center' },
  search: { width: '240px', maxWidth: '100%', '@media (max-width: 600px)': { width: '100%' } },
  views: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS },
  note: { color: tokens.colorNeutralForeground3 },
  none: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'center' },
});

const isInView = {
  served: ({ groups }: DollarRow) => groups.length > 0,
  all: () => true,
  unpriced: ({ isUnpriced }: DollarRow) => isUnpriced,
  own: ({ isOwn }: DollarRow) => isOwn,
};
type View = keyof typeof isInView;
const views = Object.keys(isInView) as View[];

/** Prices as people say them: US dollars per million tokens or per call. */
export function DollarEditor() {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const [added, setAdded] = useState<string[]>([]);
  const { rows, set, remove } = useDollarPrices(added);
  const optionText = useOptionText();
  const names = priceFields.map((field) => optionText(optionOf[field]).label);
  const effect = usePriceEffect();
  const [search, setSearch] = useState('');
  const [wantedView, setView] = useState<View>();
  const [wantedPage, setPage] = useState(1);

  if (!rows) {
    return (
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{t('price.broken')}</MessageBarBody>
      </MessageBar>
    );
  }
  const words = search.trim().toLowerCase();
  // Without channels there is something to look at, too; who searches means all of them.
  const view = wantedView ?? (words === '' && rows.some(isInView.served) ? 'served' : 'all');
  const isShown = (row: DollarRow) => added.includes(row.name) || isInView[view](row);
  const at = pageOf(
    rows.filter((row) => row.name.toLowerCase().includes(words) && isShown(row)),
    wantedPage,
  );
  const newName = search.trim();
  return (
    <div className={styles.editor}>
      <div className={styles.tools}>
        <SearchInput
          className={styles.search}
          aria-label={t('price.search')}
          placeholder={t('price.search')}
          value={search}
          maxLength={255}
          onChange={(_event, { value }) => {
            setSearch(value);
            setPage(1);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault(); // it would save the card
          }}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend */}
        <div className={styles.views} role="group" aria-label={t('price.views')}>
          {views.map((one) => (
            <ToggleButton
              key={one}
              size="small"
              appearance="subtle"
              checked={one === view}
              onClick={() => {
                setView(one);
                setPage(1);
              }}
            >
              {t(`price.view.${one}`, { count: rows.filter(isInView[one]).length })}
            </ToggleButton>
          ))}
        </div>
      </div>
      {at.shown.length === 0 && (
        <div className={styles.none}>
          <Text>{t('shell:state.noHit')}</Text>
          {newName !== '' && !rows.some(({ name }) => name === newName) && (
            <Button icon={<Add20Regular />} onClick={() => setAdded([...added, newName])}>
              {t('price.addNamed', { name: newName })}
            </Button>
          )}
        </div>
      )}
      {effect.unread && (
        <LoadError title={t('price.lastWeekFailed')} error={effect.unread.error} onRetry={effect.unread.retry} />
      )}
      {at.shown.length > 0 && <DollarTable rows={at.shown} {...{ set, remove, effect }} />}
      <PricePager at={at} onPage={setPage} />
      {effect.state !== 'unchanged' && <EffectLine effect={effect} />}
      <Text size={200} className={styles.note}>
        {t('price.savedAs', { names: names.join(t('shell:listSeparator')) })}
      </Text>
    </div>
  );
}

/** What all requests of the last week would have cost. */
function EffectLine({ effect: { state, total } }: { effect: PriceEffect }) {
  const { t } = useTranslation('setting');
  const format = useFormat();
  if (state === 'failed') return <Text role="status">{t('price.effectFailed')}</Text>;
  if (!total) return <Text role="status">{t('price.effectCounting')}</Text>;
  const [before, after] = [format.quota(total.old_quota), format.quota(total.new_quota)];
  return <Text role="status">{t('price.effect', { before, after })}</Text>;
}
