import { makeStyles, Tab, TabList, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OptionCard } from '../../../../core/schemas/option/card.ts';
import { optionsOfCard } from '../../../../core/schemas/option.ts';
import { useOptionText } from '../../i18n/option-text.ts';
import { EntryField } from './entry-field.tsx';
import { entryLayouts } from './entry-shape.ts';
import { SettingCard } from './setting-card.tsx';
import { SettingField } from './setting-field.tsx';
import { fieldName } from './setting-form.ts';

const useStyles = makeStyles({
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, minWidth: 0 },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(420px, 100%), 1fr))',
    columnGap: '48px',
    rowGap: tokens.spacingVerticalXL,
    alignItems: 'start',
  },
  // Its first word begins where the words above it do.
  tabs: { marginLeft: '-8px' },
});

/** JSON settings as rows, or as the text they are stored as. */
export function EntryCard({ card }: { card: OptionCard }) {
  const { t } = useTranslation('setting');
  const optionText = useOptionText();
  const styles = useStyles();
  const [mode, setMode] = useState('rows');
  return (
    <SettingCard card={card}>
      <div className={styles.content}>
        <TabList
          size="small"
          className={styles.tabs}
          aria-label={t('entry.mode')}
          selectedValue={mode}
          onTabSelect={(_event, { value }) => setMode(String(value))}
        >
          <Tab value="rows">{t('entry.rows')}</Tab>
          <Tab value="json">{t('entry.json')}</Tab>
        </TabList>
        <div className={styles.fields}>
          {optionsOfCard(card).map((option) => {
            const layout = mode === 'rows' ? entryLayouts[option] : undefined;
            if (!layout) return <SettingField key={option} option={option} />;
            return (
              <EntryField
                key={option}
                name={fieldName(option)}
                {...optionText(option)}
                isOfGroups={layout.keyWord === 'group'}
                keyLabel={t(`entry.key.${layout.keyWord}`)}
                columnLabels={layout.columnWords.map((word) => t(`entry.column.${word}`))}
                shape={layout.shape}
                start={layout.start}
                suggestions={layout.suggestions}
              />
            );
          })}
        </div>
      </div>
    </SettingCard>
  );
}
