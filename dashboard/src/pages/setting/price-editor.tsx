import { Button, MessageBar, MessageBarBody, makeStyles, Switch, Text, tokens } from '@fluentui/react-components';
import { Add20Regular } from '@fluentui/react-icons/svg/add';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchInput } from '../../components/form/search-input.tsx';
import { AddModelDialog } from './add-model-dialog.tsx';
import { PricePager, pageOf } from './price-pager.tsx';
import { PriceTable } from './price-table.tsx';
import { usePrices } from './use-prices.ts';

const useStyles = makeStyles({
  editor: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
  tools: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'center' },
  search: { width: '240px', maxWidth: '100%', '@media (max-width: 600px)': { width: '100%' } },
  add: { marginLeft: 'auto' },
});

/** The price of each model in a row of its own. */
export function PriceEditor() {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const { rows, set, remove } = usePrices();
  const [search, setSearch] = useState('');
  const [isOwnOnly, setOwnOnly] = useState(false);
  const [wantedPage, setPage] = useState(1);
  const [isAdding, setAdding] = useState(false);

  if (!rows) {
    return (
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{t('price.broken')}</MessageBarBody>
      </MessageBar>
    );
  }
  const words = search.trim().toLowerCase();
  const hits = rows.filter(({ name, isOwn }) => name.toLowerCase().includes(words) && (isOwn || !isOwnOnly));
  const at = pageOf(hits, wantedPage);
  const find = (text: string) => {
    setSearch(text);
    setPage(1);
  };
  return (
    <div className={styles.editor}>
      <div className={styles.tools}>
        <SearchInput
          className={styles.search}
          aria-label={t('price.search')}
          placeholder={t('price.search')}
          value={search}
          onChange={(_event, { value }) => find(value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault(); // it would save the card
          }}
        />
        <Switch
          label={t('price.ownOnly')}
          checked={isOwnOnly}
          onChange={(_event, { checked }) => setOwnOnly(checked)}
        />
        <Button className={styles.add} icon={<Add20Regular />} onClick={() => setAdding(true)}>
          {t('price.add')}
        </Button>
      </div>
      {at.shown.length === 0 ? (
        <Text>{t('shell:state.noHit')}</Text>
      ) : (
        <PriceTable rows={at.shown} {...{ set, remove }} />
      )}
      <PricePager at={at} onPage={setPage} />
      {isAdding && (
        <AddModelDialog
          taken={rows.map(({ name }) => name)}
          onClose={() => setAdding(false)}
          onAdd={(name, values) => {
            set(name, values);
            setOwnOnly(false);
            find(name);
          }}
        />
      )}
    </div>
  );
}
