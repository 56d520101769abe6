import {
  Button,
  Menu,
  MenuItemRadio,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  Tooltip,
} from '@fluentui/react-components';
import { LocalLanguage20Regular } from '@fluentui/react-icons/svg/local-language';
import { useTranslation } from 'react-i18next';
import { changeLanguage, type Language, languages } from '../../i18n/language.ts';
import { useIsNarrow } from '../../state/media.ts';

const useStyles = makeStyles({ button: { minWidth: 'auto', flexShrink: 0 } });

/** Each in its own language, for users who do not read the other. */
const names: Record<Language, string> = { zh: '中文', en: 'English' };

export function LanguageMenu() {
  const { t, i18n } = useTranslation('shell');
  const styles = useStyles();
  const isNarrow = useIsNarrow();
  const name = names[i18n.language === 'en' ? 'en' : 'zh'];
  return (
    <Menu
      checkedValues={{ language: [i18n.language] }}
      onCheckedValueChange={(_event, { checkedItems }) => {
        const chosen = languages.find((language) => language === checkedItems[0]);
        if (chosen) void changeLanguage(chosen);
      }}
    >
      <MenuTrigger disableButtonEnhancement>
        <Tooltip content={t('language.label', { name })} relationship="label">
          <Button appearance="subtle" className={styles.button} icon={<LocalLanguage20Regular />}>
            {isNarrow ? undefined : name}
          </Button>
        </Tooltip>
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {languages.map((language) => (
            <MenuItemRadio key={language} name="language" value={language} lang={language}>
              {names[language]}
            </MenuItemRadio>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
