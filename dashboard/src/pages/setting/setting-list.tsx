import { Caption1, CounterBadge, makeStyles, mergeClasses, Select, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { type OptionCard, type OptionTab, optionTabKeys, optionTabs } from '../../../../core/schemas/option/card.ts';
import { definitionOf, type OptionKey } from '../../../../core/schemas/option.ts';
import { useIsOneColumn } from '../../state/media.ts';
import { useChangeCount } from './use-change-count.ts';
import { placePath, type SettingPlace } from './use-section.ts';

const useStyles = makeStyles({
  list: { display: 'flex', flexDirection: 'column', gap: '2px' },
  group: {
    margin: `${tokens.spacingVerticalM} 0 ${tokens.spacingVerticalXS}`,
    padding: '0 10px',
    color: tokens.colorNeutralForeground3,
    fontWeight: tokens.fontWeightSemibold,
  },
  entry: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalS,
    minHeight: '32px',
    boxSizing: 'border-box',
    padding: '4px 10px',
    borderRadius: tokens.borderRadiusMedium,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  current: { backgroundColor: tokens.colorNeutralBackground1Selected, fontWeight: tokens.fontWeightSemibold },
  section: {
    minHeight: '28px',
    marginLeft: '14px',
    borderRadius: 0,
    borderLeft: `2px solid ${tokens.colorNeutralStroke2}`,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
  },
  read: { borderLeftColor: tokens.colorBrandStroke1, color: tokens.colorBrandForeground1 },
});

interface SettingListProps {
  place: SettingPlace;
  /** The card that is being read. */
  read: OptionCard | undefined;
  /** False while hits of a search are shown in place of a tab. */
  isCurrent: boolean;
  /** Settings that are not saved yet. */
  changed: readonly OptionKey[];
}

/** The own account, apart from it the tabs of the installation, and the cards of the one that is open; a menu on a phone. */
export function SettingList(props: SettingListProps) {
  return useIsOneColumn() ? <SettingMenu {...props} /> : <SettingTree {...props} />;
}

function SettingTree({ place: { tab }, read, isCurrent, changed }: SettingListProps) {
  const { t } = useTranslation('setting');
  const styles = useStyles();
  const countOf = useChangeCount();
  const changesOf = (card: OptionCard) => countOf(changed.filter((key) => definitionOf(key).card === card));
  const sumOf = (entry: OptionTab) => optionTabs[entry].reduce((sum, card) => sum + changesOf(card), 0);
  const badge = (count: number) =>
    count > 0 && <CounterBadge size="small" count={count} aria-label={t('changedCount', { count })} />;
  const entry = (to: SettingPlace, name: string, isOpen: boolean, aside?: ReactNode) => (
    <Link
      to={placePath(to)}
      className={mergeClasses(styles.entry, isOpen && styles.current)}
      aria-current={isOpen ? 'page' : undefined}
    >
      {name}
      {aside}
    </Link>
  );
  return (
    <nav className={styles.list} aria-label={t('sections')}>
      <Caption1 className={styles.group}>{t('ownGroup')}</Caption1>
      {entry({}, t('personalTab'), isCurrent && !tab)}
      <Caption1 className={styles.group}>{t('systemGroup')}</Caption1>
      {optionTabKeys.map((key) => (
        <div key={key} className={styles.list}>
          {entry({ tab: key }, t(`option:tab.${key}`), isCurrent && tab === key, badge(sumOf(key)))}
          {isCurrent &&
            tab === key &&
            optionTabs[key].map((card) => (
              <Link
                key={card}
                to={placePath({ tab: key, section: card })}
                className={mergeClasses(styles.entry, styles.section, read === card && styles.read)}
                aria-current={read === card ? 'location' : undefined}
              >
                {t(`option:card.${card}.title`)}
                {badge(changesOf(card))}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  );
}

function SettingMenu({ place: { tab, section }, isCurrent }: SettingListProps) {
  const { t } = useTranslation('setting');
  const navigate = useNavigate();
  const path = placePath({ tab, section });
  return (
    <nav aria-label={t('sections')}>
      <Select
        aria-label={t('sections')}
        value={isCurrent ? path : ''}
        onChange={(_event, { value }) => void navigate(value)}
      >
        {!isCurrent && <option value="">{t('sections')}</option>}
        <option value={placePath({})}>{t('personalTab')}</option>
        {optionTabKeys.map((key) => (
          <optgroup key={key} label={t(`option:tab.${key}`)}>
            <option value={placePath({ tab: key })}>{t('wholeTab', { name: t(`option:tab.${key}`) })}</option>
            {optionTabs[key].map((card) => (
              <option key={card} value={placePath({ tab: key, section: card })}>
                {t(`option:card.${card}.title`)}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
    </nav>
  );
}
