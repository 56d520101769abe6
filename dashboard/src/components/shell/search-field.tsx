import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { Search20Regular } from '@fluentui/react-icons/svg/search';
import { useTranslation } from 'react-i18next';
import { useIsMobile } from '../../state/media.ts';

const useStyles = makeStyles({
  field: {
    justifyContent: 'flex-start',
    width: '220px',
    minWidth: '110px',
    flexShrink: 1,
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground3,
  },
  key: {
    marginInlineStart: 'auto',
    padding: '0 4px',
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusSmall,
    fontFamily: tokens.fontFamilyBase,
    fontSize: tokens.fontSizeBase100,
  },
});

/** Looks like a field and opens the search. */
export function SearchField({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const isMobile = useIsMobile();
  if (isMobile) {
    return <Button appearance="subtle" icon={<Search20Regular />} title={t('palette.open')} onClick={onOpen} />;
  }
  return (
    <Button
      className={styles.field}
      icon={<Search20Regular />}
      aria-label={t('palette.open')}
      aria-keyshortcuts="Control+K /"
      onClick={onOpen}
    >
      {t('palette.open')}
      <kbd className={styles.key}>/</kbd>
    </Button>
  );
}
